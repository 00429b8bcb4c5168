/** Looks up all rows of a subject by its id in the engine: with all blocks in the cache, and with none. */
import { seededRandom } from '@quadrille/storage/testing';
import type { Figures } from '../workload.js';
import type { IdStore } from './id-store.js';
import { lookUpIds, subjectIds, subjectsByBlock } from './id-store.js';
import { warmRate } from './passes.js';
import { LOOKUPS } from './subjects.js';

/** Number of passes. A pass takes tens of milliseconds, and the first passes run uncompiled code. */
const COUNT = 21;

/** Looks up random subjects, all of whose blocks are in the cache. */
export async function warmIds({ store, snapshot }: IdStore): Promise<Figures> {
  const all = await subjectIds(snapshot);
  const random = seededRandom(1);
  const chosen = Array.from({ length: LOOKUPS }, () => all[Math.floor(random() * all.length)]!);
  await lookUpIds(snapshot, chosen);
  const before = store.cache.misses;
  const figures = await rate('ids, warm', () => lookUpIds(snapshot, chosen));
  if (store.cache.misses !== before) throw new Error('the cache is too small for warm lookups');
  return figures;
}

/** Looks up subjects none of whose blocks is in the cache, so that each lookup reads a block from the storage. */
export async function missedIds({ store, snapshot }: IdStore): Promise<Figures> {
  const chosen = subjectsByBlock(snapshot, await subjectIds(snapshot), LOOKUPS);
  const figures = await rate('ids, miss', async () => {
    const before = store.cache.misses;
    const rows = await lookUpIds(snapshot, chosen);
    const missed = store.cache.misses - before;
    if (missed < chosen.length) throw new Error(`${chosen.length - missed} of the blocks were in the cache`);
    return rows;
  });
  return figures;
}

const rate = (name: string, pass: () => Promise<number>): Promise<Figures> =>
  warmRate({ name, unit: 'lookups/s', times: LOOKUPS, count: COUNT }, pass);
