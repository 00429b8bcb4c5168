/** Reads a store by ids through the engine, without terms and without the objects of the library. */
import { ANY, platformEnv, Store } from '@quadrille/core';
import type { Snapshot } from '@quadrille/core';
import { StorageEngine } from '@quadrille/storage';
import { REPOSITORY } from '../data-sets.js';
import { DRIVERS } from '../stores/quadrille-store.js';
import { pathOf } from '../workload.js';
import type { Context, Need } from '../workload.js';

export interface IdStore {
  readonly store: Store;
  readonly snapshot: Snapshot;
  close(): Promise<void>;
}

/** @param cacheBytes size of the block cache; the engine uses at least 4 MiB */
export async function openIds(context: Context, need: Need, cacheBytes?: number): Promise<IdStore> {
  const engine = await StorageEngine.open(await DRIVERS[context.storage](pathOf(context, need)));
  const store = await Store.open(engine, { env: platformEnv(), cacheBytes });
  const snapshot = (await store.repository(REPOSITORY)).snapshot();
  const close = async (): Promise<void> => {
    snapshot.close();
    await store.close();
  };
  return { store, snapshot, close };
}

/** Reads all rows and returns their number. */
export async function scanIds(snapshot: Snapshot, visit?: (subject: number) => void): Promise<number> {
  const scan = snapshot.scanQuads(ANY);
  let rows = 0;
  for (;;) {
    const found = scan.next();
    if (found === 0) break;
    // Negative: a block must be fetched first.
    if (found < 0) await scan.fetch();
    else rows += found;
    if (visit !== undefined) for (let row = scan.start; row < scan.end; row++) visit(scan.s[row]!);
  }
  scan.close();
  return rows;
}

/** Ids of all subjects, ascending. */
export async function subjectIds(snapshot: Snapshot): Promise<number[]> {
  const ids: number[] = [];
  await scanIds(snapshot, (id) => id !== ids.at(-1) && ids.push(id));
  return ids;
}

/** Reads all rows of one subject after the other with one seeker, like a join. Returns the number of rows. */
export async function lookUpIds(snapshot: Snapshot, subjects: readonly number[]): Promise<number> {
  const seeker = snapshot.seeker({ s: true, p: false, o: false, g: false });
  let rows = 0;
  for (const subject of subjects) {
    seeker.seek(subject, 0, 0, 0);
    for (let found = seeker.next(); found !== 0; found = seeker.next()) {
      if (found < 0) await seeker.fetch();
      else for (let row = seeker.start; row < seeker.end; row++) rows += seeker.o[row] === 0 ? 0 : 1;
    }
  }
  seeker.close();
  return rows;
}

/**
 * Subjects that are never in a cache with fewer blocks than the store has: one subject of each block, then a second one of each,
 * up to the last. All rows of such a subject are in one block.
 */
export function subjectsByBlock(snapshot: Snapshot, subjects: readonly number[], count: number): number[] {
  const [run] = snapshot.index.runs.filter(({ entry }) => entry.order.name === SUBJECTS_FIRST);
  const byBlock: number[][] = Array.from({ length: run!.blocks }, () => []);
  const fence = (block: number): number => run!.table.fences[block * 4] ?? Infinity;
  let block = 0;
  for (const subject of subjects) {
    while (fence(block + 1) <= subject) block++;
    // The first subject of a block may have rows in the block before.
    if (fence(block) < subject && subject < fence(block + 1)) byBlock[block]!.push(subject);
  }
  return inTurn(byBlock, count);
}

const SUBJECTS_FIRST = 'spog';

function inTurn(lists: readonly number[][], count: number): number[] {
  const filled = lists.filter((list) => list.length > 0);
  return Array.from({ length: count }, (_, n) => {
    const list = filled[n % filled.length]!;
    return list[Math.floor(n / filled.length) % list.length]!;
  });
}
