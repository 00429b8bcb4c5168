/** Not measured: makes the stores and query texts that the reading workloads share. */
import { BSBM_QUADS, checkCount } from '../data-sets.js';
import type { BsbmSet } from '../data-sets.js';
import { loadQuadrille } from '../loading.js';
import { loadQuadstore, openQuadstore } from '../stores/quadstore-store.js';
import { VIRTUOSO } from '../stores/virtuoso/virtuoso-store.js';
import { createRepositories } from '../scale/many-repositories.js';
import { addRevisions } from '../sparql/history-store.js';
import { writeQueries } from '../sparql/prepare-queries.js';
import type { Need, Part, Workload } from '../workload.js';
import { pathOf } from '../workload.js';
import { writeDocument } from '../write-document.js';

function quadrilleStore(need: Need, set: BsbmSet): Part {
  return {
    backend: 'quadrille',
    needs: [set],
    measure: async (context) => {
      await loadQuadrille(context.storage, pathOf(context, need), pathOf(context, set), set);
      return {};
    },
  };
}

function quadstoreStore(need: Need, set: BsbmSet): Part {
  return {
    backend: 'quadstore',
    needs: [set],
    measure: async (context) => {
      const store = await openQuadstore(pathOf(context, need));
      await loadQuadstore(store, pathOf(context, set));
      await store.close();
      return {};
    },
  };
}

function document(need: Need, set: BsbmSet): Part {
  return {
    backend: 'quadrille',
    needs: [set],
    measure: async (context) => {
      await writeDocument(pathOf(context, set), pathOf(context, need));
      return {};
    },
  };
}

export const workload: Workload = {
  name: 'prepare',
  parts: {
    'bsbm-1m.ttl': document('bsbm-1m.ttl', 'bsbm-1m'),
    'bsbm-1m.rdf': document('bsbm-1m.rdf', 'bsbm-1m'),
    'bsbm-100k.jsonld': document('bsbm-100k.jsonld', 'bsbm-100k'),
    'store-1m': quadrilleStore('store-1m', 'bsbm-1m'),
    'store-100k': quadrilleStore('store-100k', 'bsbm-100k'),
    'store-1m-history': {
      backend: 'quadrille',
      needs: ['bsbm-1m'],
      measure: async (context) => {
        const path = pathOf(context, 'store-1m-history');
        await loadQuadrille(context.storage, path, pathOf(context, 'bsbm-1m'), 'bsbm-1m');
        await addRevisions(path);
        return {};
      },
    },
    'quadstore-1m': quadstoreStore('quadstore-1m', 'bsbm-1m'),
    'quadstore-100k': quadstoreStore('quadstore-100k', 'bsbm-100k'),
    'virtuoso-1m': {
      backend: 'virtuoso',
      needs: ['bsbm-1m'],
      measure: async (context) => {
        const store = await VIRTUOSO.open(pathOf(context, 'virtuoso-1m'));
        await store.load(pathOf(context, 'bsbm-1m'));
        checkCount('virtuoso', await store.size(), BSBM_QUADS['bsbm-1m']);
        await store.close();
        return {};
      },
    },
    'store-repositories': {
      backend: 'quadrille',
      needs: [],
      measure: async (context) => {
        await createRepositories(pathOf(context, 'store-repositories'), context.sizes.repositories);
        return {};
      },
    },
    'bsbm-queries': {
      backend: 'quadrille',
      needs: ['store-1m'],
      measure: async (context) => {
        await writeQueries(pathOf(context, 'store-1m'), pathOf(context, 'bsbm-queries'));
        return {};
      },
    },
  },
};
