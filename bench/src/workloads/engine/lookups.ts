/** Lookups of all quads of a subject, and counts of patterns: as RDF/JS quads, and as ids inside the engine. */
import { asStore } from 'quadrille';
import type * as RDF from '@rdfjs/types';
import type { QuadPattern, Repository } from 'quadrille';
import { REPOSITORY } from '../../data-sets.js';
import { openEngine, openReady } from '../../engine-store.js';
import { timed } from '../../measure.js';
import { iterated, listened, looped } from '../../reading/consumers.js';
import { openIds } from '../../reading/id-store.js';
import { missedIds, warmIds } from '../../reading/id-lookups.js';
import { fastest, warmRate } from '../../reading/passes.js';
import { rdfStores } from '../../reading/rdf-stores.js';
import { LOOKUPS, sample } from '../../reading/subjects.js';
import { openN3Store } from '../../stores/n3-store.js';
import { openQuadstore } from '../../stores/quadstore-store.js';
import type { Context, Figure, Figures, Need, Part, Workload } from '../../workload.js';
import { figure, pathOf, STORAGES } from '../../workload.js';

const COUNTS = 5000;
/** Less than any cache accepts, so that each uses its minimum. */
const LEAST_CACHE = 1;
const OPENED = 3;

type Chosen = readonly RDF.Quad[];
type Lookup = (quad: RDF.Quad) => number | Promise<number>;

/** Makes each lookup for all quads, in several passes. */
async function lookupRates(chosen: Chosen, lookups: Record<string, Lookup>): Promise<Figures> {
  const figures: Figures[] = [];
  for (const [name, lookup] of Object.entries(lookups)) {
    const pass = async (): Promise<number> => {
      let rows = 0;
      for (const quad of chosen) {
        const found = lookup(quad);
        rows += found instanceof Promise ? await found : found;
      }
      return rows;
    };
    figures.push(await warmRate({ name, unit: 'lookups/s', times: LOOKUPS }, pass));
  }
  return Object.assign({}, ...figures) as Figures;
}

function quadrille(store: Need, measure: (repository: Repository, chosen: Chosen) => Promise<Figures>): Part {
  return {
    backend: 'quadrille',
    needs: [store],
    storages: STORAGES,
    measure: async (context) => {
      const db = await openReady(context, store);
      const repository = await db.repository(REPOSITORY);
      const figures = await measure(repository, await sample(repository.quads()));
      await db.close();
      return figures;
    },
  };
}

async function counts(repository: Repository, chosen: Chosen): Promise<Figures> {
  const patterns: Record<string, (quad: RDF.Quad) => QuadPattern> = {
    'count s': ({ subject }) => ({ subject }),
    'count p': ({ predicate }) => ({ predicate }),
    'count po': ({ predicate, object }) => ({ predicate, object }),
  };
  const figures: Record<string, Figure> = {};
  const asked = chosen.slice(0, COUNTS);
  for (const [name, pattern] of Object.entries(patterns)) {
    const seconds = await fastest({ name, unit: 'µs', times: COUNTS }, async () => {
      let total = 0;
      for (const quad of asked) total += await repository.count(pattern(quad));
      return total;
    });
    figures[name] = figure((seconds / COUNTS) * 1e6, 'µs');
  }
  return figures;
}

/**
 * Looks up each subject once in a store that was just opened with the smallest caches. Takes the fastest of several
 * times.
 */
async function missed(context: Context): Promise<Figures> {
  const path = pathOf(context, 'store-1m');
  const full = await openEngine(context.storage, path);
  const chosen = await sample((await full.repository(REPOSITORY)).quads());
  await full.close();
  const subjects = [...new Set(chosen)].map(({ subject }) => subject);
  let [least, blocks] = [Infinity, 0];
  for (let time = 0; time < OPENED; time++) {
    const db = await openEngine(context.storage, path, { cacheBytes: LEAST_CACHE });
    const repository = await db.repository(REPOSITORY);
    const before = db.metrics().cacheMisses;
    const { seconds } = await timed(async () => {
      for (const subject of subjects) await iterated(repository.quads({ subject }));
    });
    least = Math.min(least, seconds);
    blocks = db.metrics().cacheMisses - before;
    await db.close();
  }
  return {
    's, miss': figure(subjects.length / least, 'lookups/s'),
    's, miss: blocks read': figure(blocks / subjects.length, 'blocks/lookup'),
  };
}

const ids = (measure: (store: Awaited<ReturnType<typeof openIds>>) => Promise<Figures>, cacheBytes?: number): Part => ({
  backend: 'quadrille',
  needs: ['store-1m'],
  // Storage in memory can only be filled through the library, so it cannot be opened here.
  storages: ['leveldb', 'lmdb'],
  measure: async (context) => {
    const opened = await openIds(context, 'store-1m', cacheBytes);
    const figures = await measure(opened);
    await opened.close();
    return figures;
  },
});

export const workload: Workload = {
  name: 'lookups',
  parts: {
    'ids, warm': ids(warmIds),
    'ids, miss': ids(missedIds, LEAST_CACHE),
    quadrille: quadrille('store-1m', async (repository, chosen) => ({
      ...(await lookupRates(chosen, {
        s: ({ subject }) => iterated(repository.quads({ subject })),
        's, match': ({ subject }) => listened(asStore(repository).match(subject)),
        's, sync': ({ subject }) => looped(repository.quadsSync({ subject })),
        'spo, sync': ({ subject, predicate, object }) => looped(repository.quadsSync({ subject, predicate, object })),
        'has, sync': (quad) => Number(repository.hasSync(quad)),
      })),
      ...(await counts(repository, chosen)),
    })),
    'rdf-stores': rdfStores('bsbm-1m', async (store) =>
      lookupRates(await sample(store.match()), {
        s: ({ subject }) => iterated(store.match(subject)),
        's, match': ({ subject }) => listened(store.match(subject)),
        's, sync': ({ subject }) => looped(store.readQuads(subject)),
        'spo, sync': ({ subject, predicate, object }) => looped(store.readQuads(subject, predicate, object)),
        'has, sync': ({ subject, predicate, object, graph }) =>
          looped(store.readQuads(subject, predicate, object, graph)),
      }),
    ),
    n3: {
      backend: 'n3',
      needs: ['bsbm-1m'],
      measure: async (context) => {
        const { store, opened } = await openN3Store();
        await opened.load(pathOf(context, 'bsbm-1m'));
        return lookupRates(await sample(store.match() as never), {
          's, sync': ({ subject }) => looped(store.getQuads(subject as never, null, null, null) as never),
          'spo, sync': ({ subject, predicate, object }) =>
            looped(store.getQuads(subject as never, predicate as never, object as never, null) as never),
          'has, sync': (quad) => Number(store.has(quad as never)),
        });
      },
    },
    miss: { backend: 'quadrille', needs: ['store-1m'], storages: ['leveldb', 'lmdb'], measure: missed },
    'quadrille 100k': quadrille('store-100k', (repository, chosen) =>
      lookupRates(chosen, { 's-100k': ({ subject }) => iterated(repository.quads({ subject })) }),
    ),
    'quadstore 100k': {
      backend: 'quadstore',
      needs: ['quadstore-100k'],
      measure: async (context) => {
        const store = await openQuadstore(pathOf(context, 'quadstore-100k'));
        const chosen = await sample((await store.getStream({})).iterator);
        const figures = await lookupRates(chosen, {
          's-100k': async ({ subject }) => (await store.get({ subject })).items.length,
        });
        await store.close();
        return figures;
      },
    },
  },
  comparisons: [
    { figure: 's', backend: 'rdf-stores', how: 'ratio' },
    { figure: 's, match', backend: 'rdf-stores', how: 'ratio' },
    ...['s, sync', 'spo, sync', 'has, sync'].flatMap((name) =>
      ['rdf-stores', 'n3'].map((backend) => ({ figure: name, backend, how: 'ratio' as const })),
    ),
    { figure: 's-100k', backend: 'quadstore', how: 'ratio' },
  ],
};
