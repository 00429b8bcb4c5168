/** The kinds of background work, in the sequence in which the scheduler runs them. */
import { mergeHashRuns, mergeableHashRuns } from '../dictionary/dictionary-flush.js';
import { ORDERS } from '../index/orders.js';
import type { Order } from '../index/orders.js';
import { runsOf } from '../index/index-version.js';
import type { Generation } from '../open/generation.js';
import type { Pacer } from '../runtime/env.js';
import { copyBase, isCopyDue } from './copy-base.js';
import type { DamagedRuns } from './damaged-runs.js';
import { damagedHashRuns, damagedRuns } from './damaged-runs.js';
import { flushMemtable, flushTail } from './flush.js';
import { dueHistory, dueLive, mergeHistory, mergeLive, needsTombstoneMerge } from './merge-tiers.js';

export interface Job {
  /** Description of the job, shown in `stats()`, `/metrics` and the log. */
  readonly name: string;
  isDue(generation: Generation, damaged: DamagedRuns): boolean;
  /** The caller holds the maintenance lock. */
  run(generation: Generation, damaged: DamagedRuns, pacer: Pacer): Promise<void>;
  /** After the job failed because of damage: finds the runs that are damaged. */
  findDamaged?(generation: Generation, pacer: Pacer): Promise<Partial<Record<keyof DamagedRuns, readonly number[]>>>;
}

const flushing: Job = {
  name: 'flush of recent changes',
  isDue: (generation, damaged) => {
    const { rows } = generation.index.active;
    // If the interval of a tombstone is in the memtable, the memtable must be flushed before both can be merged.
    return rows >= generation.keyspace.tuning.memtableRows || (rows > 0 && needsTombstoneMerge(generation, damaged));
  },
  run: (generation, _, pacer) => flushMemtable(generation, pacer),
};

const flushingTerms: Job = {
  name: 'flush of new terms',
  isDue: ({ dictionary }) => dictionary.tailDue,
  run: (generation, _, pacer) => flushTail(generation, pacer),
};

const mergingHashRuns: Job = {
  name: 'merge of hash runs',
  isDue: ({ dictionary }, { hashRuns }) => mergeableHashRuns(dictionary, hashRuns).length > 0,
  run: ({ dictionary }, { hashRuns }, pacer) =>
    mergeHashRuns(dictionary, mergeableHashRuns(dictionary, hashRuns), pacer),
  findDamaged: async ({ dictionary }, pacer) => ({ hashRuns: await damagedHashRuns(dictionary.root.runs, pacer) }),
};

const merging = (order: Order): Job => ({
  name: `merge of runs in the order ${order.name}`,
  isDue: (generation, damaged) => dueLive(generation, order, damaged).length > 0,
  run: (generation, damaged, pacer) =>
    mergeLive(generation, order, dueLive(generation, order, damaged), damaged, pacer),
  findDamaged: async ({ index }, pacer) => {
    const runs = [...runsOf(index.runs, order, 'live'), ...runsOf(index.runs, order, 'tombstone')];
    return { runs: await damagedRuns(runs, pacer) };
  },
});

const mergingHistory = (order: Order): Job => ({
  name: `merge of history in the order ${order.name}`,
  isDue: (generation, damaged) => dueHistory(generation, order, damaged).length > 0,
  run: (generation, damaged, pacer) => mergeHistory(generation, order, dueHistory(generation, order, damaged), pacer),
  findDamaged: async ({ index }, pacer) => ({ runs: await damagedRuns(runsOf(index.runs, order, 'history'), pacer) }),
});

const copyingBases: Job = {
  name: 'copy of the base of a long branch',
  isDue: isCopyDue,
  run: (generation, _, pacer) => copyBase(generation, pacer),
};

export const JOBS: readonly Job[] = [
  flushing,
  flushingTerms,
  mergingHashRuns,
  ...ORDERS.flatMap((order) => [merging(order), mergingHistory(order)]),
  copyingBases,
];
