/** Not measured: makes the stores that the reading workloads share. */
import type { BsbmSet } from '../data-sets.js';
import { loadQuadrille } from '../loading.js';
import { loadQuadstore, openQuadstore } from '../peers.js';
import type { Need, Part, Workload } from '../workload.js';
import { pathOf } from '../workload.js';

function quadrilleStore(need: Need, set: BsbmSet): Part {
  return {
    backend: 'quadrille',
    needs: [set],
    measure: async (context) => {
      await loadQuadrille(pathOf(context, need), pathOf(context, set), set);
      return {};
    },
  };
}

export const workload: Workload = {
  name: 'prepare',
  parts: {
    'store-1m': quadrilleStore('store-1m', 'bsbm-1m'),
    'store-100k': quadrilleStore('store-100k', 'bsbm-100k'),
    'quadstore-100k': {
      backend: 'quadstore',
      needs: ['bsbm-100k'],
      measure: async (context) => {
        const store = await openQuadstore(pathOf(context, 'quadstore-100k'));
        await loadQuadstore(store, pathOf(context, 'bsbm-100k'));
        await store.close();
        return {};
      },
    },
  },
};
