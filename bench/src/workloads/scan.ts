/** Reading everything: as RDF/JS quads by event and by iteration, and as ids inside the engine. Warm: the second pass. */
import { ANY, platformEnv, Store } from '@quadrille/core';
import { StorageEngine } from '@quadrille/storage';
import type { Repository } from 'quadrille';
import { BSBM_QUADS, checkCount, REPOSITORY } from '../data-sets.js';
import type { BsbmSet } from '../data-sets.js';
import { timed } from '../measure.js';
import { openReady } from '../engine-store.js';
import { DRIVERS } from '../stores/quadrille-store.js';
import { openQuadstore } from '../stores/quadstore-store.js';
import type { Context, Figures, Need, Part, Workload } from '../workload.js';
import { figure, pathOf, STORAGES } from '../workload.js';

interface DataStream {
  on(event: 'data' | 'end' | 'error', listener: (value: Error) => void): unknown;
}

function countEvents(stream: DataStream): Promise<number> {
  return new Promise((resolve, reject) => {
    let quads = 0;
    stream.on('data', () => quads++);
    stream.on('end', () => resolve(quads));
    stream.on('error', reject);
  });
}

/** Rates of the second of two passes. */
async function warmRate(name: string, unit: string, expected: number, pass: () => Promise<number>): Promise<Figures> {
  checkCount(name, await pass(), expected);
  const { result, seconds } = await timed(pass);
  checkCount(name, result, expected);
  return { [name]: figure(result / seconds, unit) };
}

function quadrille(name: string, store: Need, set: BsbmSet, pass: (repository: Repository) => Promise<number>): Part {
  return {
    backend: 'quadrille',
    needs: [store],
    storages: STORAGES,
    measure: async (context) => {
      const db = await openReady(context, store);
      const repository = await db.repository(REPOSITORY);
      const figures = await warmRate(name, 'quads/s', BSBM_QUADS[set], () => pass(repository));
      await db.close();
      return figures;
    },
  };
}

async function iterated(repository: Repository): Promise<number> {
  let quads = 0;
  for await (const quad of repository.quads()) quads += quad.subject === undefined ? 0 : 1;
  return quads;
}

async function scanIds(context: Context): Promise<Figures> {
  const engine = await StorageEngine.open(await DRIVERS[context.storage](pathOf(context, 'store-1m')));
  const store = await Store.open(engine, { env: platformEnv() });
  const repository = await store.repository(REPOSITORY);
  const pass = async (): Promise<number> => {
    const snapshot = repository.snapshot();
    const scan = snapshot.scan(ANY);
    let rows = 0;
    for (;;) {
      const found = scan.next();
      if (found === 0) break;
      // Below 0: a block has to be fetched first.
      if (found < 0) await scan.fetch();
      else rows += found;
    }
    scan.close();
    snapshot.close();
    return rows;
  };
  const figures = await warmRate('ids', 'rows/s', BSBM_QUADS['bsbm-1m'], pass);
  await store.close();
  return figures;
}

export const workload: Workload = {
  name: 'scan',
  parts: {
    match: quadrille('match', 'store-1m', 'bsbm-1m', (repository) => countEvents(repository.match())),
    quads: quadrille('quads', 'store-1m', 'bsbm-1m', iterated),
    // In memory there is no store without the library that makes it.
    ids: { backend: 'quadrille', needs: ['store-1m'], storages: ['leveldb', 'lmdb'], measure: scanIds },
    'match-100k': quadrille('match-100k', 'store-100k', 'bsbm-100k', (repository) => countEvents(repository.match())),
    'quadstore match-100k': {
      backend: 'quadstore',
      needs: ['quadstore-100k'],
      measure: async (context) => {
        const store = await openQuadstore(pathOf(context, 'quadstore-100k'));
        const pass = (): Promise<number> => countEvents(store.match());
        const figures = await warmRate('match-100k', 'quads/s', BSBM_QUADS['bsbm-100k'], pass);
        await store.close();
        return figures;
      },
    },
  },
  comparisons: [{ figure: 'match-100k', backend: 'quadstore', how: 'ratio' }],
};
