/** Full scans: as RDF/JS quads by events and by iteration, and as ids inside the engine. Warm, in several passes. */
import { asStore, blankNode, iri, literal, quad } from 'quadrille';
import type { Repository } from 'quadrille';
import { BSBM_QUADS, checkCount, REPOSITORY } from '../../data-sets.js';
import type { BsbmSet } from '../../data-sets.js';
import { openReady } from '../../engine-store.js';
import { iterated, listened, looped, repeated } from '../../reading/consumers.js';
import { openIds, scanIds } from '../../reading/id-store.js';
import { warmRate } from '../../reading/passes.js';
import { rdfStores } from '../../reading/rdf-stores.js';
import { openQuadstore } from '../../stores/quadstore-store.js';
import type { Context, Figures, Need, Part, Workload } from '../../workload.js';
import { pathOf, STORAGES } from '../../workload.js';

type Pass = () => Promise<number>;

function rate(name: string, set: BsbmSet, pass: Pass): Promise<Figures> {
  return warmRate({ name, unit: 'quads/s', times: BSBM_QUADS[set] }, async () => {
    const found = await pass();
    checkCount(name, found, BSBM_QUADS[set]);
    return found;
  });
}

function quadrille(store: Need, set: BsbmSet, passes: (repository: Repository) => Record<string, Pass>): Part {
  return {
    backend: 'quadrille',
    needs: [store],
    storages: STORAGES,
    measure: async (context) => {
      const db = await openReady(context, store);
      const figures = await rates(set, passes(await db.repository(REPOSITORY)));
      await db.close();
      return figures;
    },
  };
}

async function rates(set: BsbmSet, passes: Record<string, Pass>): Promise<Figures> {
  const figures: Figures[] = [];
  for (const [name, pass] of Object.entries(passes)) figures.push(await rate(name, set, pass));
  return Object.assign({}, ...figures) as Figures;
}

async function ids(context: Context): Promise<Figures> {
  const { snapshot, close } = await openIds(context, 'store-1m');
  const set = { name: 'ids', unit: 'rows/s', times: BSBM_QUADS['bsbm-1m'] };
  const figures = await warmRate(set, () => scanIds(snapshot));
  await close();
  return figures;
}

export const workload: Workload = {
  name: 'scan',
  parts: {
    quadrille: quadrille('store-1m', 'bsbm-1m', (repository) => ({
      quads: () => iterated(repository.quads()),
      match: () => listened(asStore(repository).match()),
      sync: async () => looped(repository.quadsSync()),
    })),
    'rdf-stores': rdfStores('bsbm-1m', (store) =>
      rates('bsbm-1m', {
        quads: () => iterated(store.match()),
        match: () => listened(store.match()),
        sync: async () => looped(store.readQuads()),
      }),
    ),
    control: {
      backend: 'control',
      needs: [],
      measure: () => {
        const shared = quad(iri('http://example.org/s'), iri('http://example.org/p'), literal('o'), blankNode('g'));
        return rate('quads', 'bsbm-1m', () => iterated(repeated(shared, BSBM_QUADS['bsbm-1m'])));
      },
    },
    // Storage in memory can only be filled through the library, so it cannot be opened here.
    ids: { backend: 'quadrille', needs: ['store-1m'], storages: ['leveldb', 'lmdb'], measure: ids },
    'quadrille 100k': quadrille('store-100k', 'bsbm-100k', (repository) => ({
      'match-100k': () => listened(asStore(repository).match()),
    })),
    'quadstore 100k': {
      backend: 'quadstore',
      needs: ['quadstore-100k'],
      measure: async (context) => {
        const store = await openQuadstore(pathOf(context, 'quadstore-100k'));
        const figures = await rate('match-100k', 'bsbm-100k', () => listened(store.match() as never));
        await store.close();
        return figures;
      },
    },
  },
  comparisons: [
    { figure: 'quads', backend: 'control', how: 'ratio' },
    { figure: 'quads', backend: 'rdf-stores', how: 'ratio' },
    { figure: 'match', backend: 'rdf-stores', how: 'ratio' },
    { figure: 'sync', backend: 'rdf-stores', how: 'ratio' },
    { figure: 'match-100k', backend: 'quadstore', how: 'ratio' },
  ],
};
