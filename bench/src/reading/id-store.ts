/** A store as the engine has it, read by ids: no terms, no objects of the library. */
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

/** `cacheBytes`: of blocks; the least that the engine takes is 4 MiB. */
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

/** How many rows a pattern has, each of them read. */
export async function scanIds(snapshot: Snapshot, visit?: (subject: number) => void): Promise<number> {
  const scan = snapshot.scanQuads(ANY);
  let rows = 0;
  for (;;) {
    const found = scan.next();
    if (found === 0) break;
    // Below 0: a block has to be fetched first.
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

/** All rows of one subject after the other, by one reader as a join has it; how many there were. */
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
 * Subjects that are never at hand in a cache which holds fewer blocks than there are: one of each block after the other, then
 * another one of each. The rows of each are in one block.
 */
export function subjectsByBlock(snapshot: Snapshot, subjects: readonly number[], count: number): number[] {
  const [run] = snapshot.state.runs.filter(({ entry }) => entry.order.name === SUBJECTS_FIRST);
  const byBlock: number[][] = Array.from({ length: run!.blocks }, () => []);
  const fence = (block: number): number => run!.table.fences[block * 4] ?? Infinity;
  let block = 0;
  for (const subject of subjects) {
    while (fence(block + 1) <= subject) block++;
    // One that begins a block may have begun in the block before.
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
