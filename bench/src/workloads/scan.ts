/** Reading everything: as RDF/JS quads by event and by iteration, and as ids inside the engine. Warm: the second pass. */
import { ANY, FORMAT_VERSION, platformEnv, Store } from '@quadrille/core';
import { StorageEngine } from '@quadrille/storage';
import { openLevelDirectory } from '@quadrille/storage-level';
import { open } from 'quadrille';
import type { Repository } from 'quadrille';
import { BSBM_QUADS, checkCount, REPOSITORY } from '../data-sets.js';
import type { BsbmSet } from '../data-sets.js';
import { timed } from '../measure.js';
import { openQuadstore } from '../stores/quadstore-store.js';
import type { Figures, Need, Part, Workload } from '../workload.js';
import { figure, pathOf } from '../workload.js';

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
    measure: async (context) => {
      const db = await open(pathOf(context, store));
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

async function scanIds(path: string): Promise<Figures> {
  const engine = await StorageEngine.open(await openLevelDirectory(path, { format: FORMAT_VERSION }));
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
    ids: { backend: 'quadrille', needs: ['store-1m'], measure: (context) => scanIds(pathOf(context, 'store-1m')) },
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
