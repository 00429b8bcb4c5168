/** The kinds of background work, in the sequence in which the scheduler runs them. */
import { type HashRun, mergeableHashRuns } from '../dictionary/hash-run.js';
import type { Dictionary } from '../dictionary/dictionary.js';
import { ORDERS } from '../index/orders.js';
import type { Order } from '../index/orders.js';
import { runsOf } from '../index/index-version.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Pacer } from '../runtime/env.js';
import { copyBase, isCopyDue } from './copy-base.js';
import type { DamagedRuns } from './damaged-runs.js';
import { damagedHashRuns, damagedRuns } from './damaged-runs.js';
import { flushMemtable, flushTail } from './flush.js';
import { dueHistory, dueLive, mergeHistory, mergeLive, needsTombstoneMerge } from './merge-tiers.js';

export interface Job {
  /** Description of the job, shown in `stats()`, `/metrics` and the log. */
  readonly name: string;
  isDue(timeline: Timeline, damaged: DamagedRuns): boolean;
  /** The caller holds the maintenance lock. */
  run(timeline: Timeline, damaged: DamagedRuns, pacer: Pacer): Promise<void>;
  /** After the job failed because of damage: finds the runs that are damaged. */
  findDamaged?(timeline: Timeline, pacer: Pacer): Promise<Partial<Record<keyof DamagedRuns, readonly number[]>>>;
}

const flushing: Job = {
  name: 'flush of recent changes',
  isDue: (timeline, damaged) => {
    const { rows } = timeline.index.active;
    // If the interval of a tombstone is in the memtable, the memtable must be flushed before both can be merged.
    return rows >= timeline.keyspace.tuning.memtableRows || (rows > 0 && needsTombstoneMerge(timeline, damaged));
  },
  run: (timeline, _, pacer) => flushMemtable(timeline, pacer),
};

const flushingTerms: Job = {
  name: 'flush of new terms',
  isDue: ({ dictionary }) => dictionary.tailDue,
  run: (timeline, _, pacer) => flushTail(timeline, pacer),
};

const dueHashRuns = ({ root, keyspace }: Dictionary, damaged: ReadonlySet<number>): readonly HashRun[] =>
  mergeableHashRuns(root.runs, keyspace.tuning.tierRuns, damaged);

const mergingHashRuns: Job = {
  name: 'merge of hash runs',
  isDue: ({ dictionary }, { hashRuns }) => dueHashRuns(dictionary, hashRuns).length > 0,
  run: async ({ dictionary }, { hashRuns }, pacer) => {
    const { mergeHashRuns } = await import('../on-request.js');
    await mergeHashRuns(dictionary, dueHashRuns(dictionary, hashRuns), pacer);
  },
  findDamaged: async ({ dictionary }, pacer) => ({ hashRuns: await damagedHashRuns(dictionary.root.runs, pacer) }),
};

const indexing = (kind: 'textIndex' | 'orderIndex' | 'vectorIndex', name: string): Job => ({
  name,
  isDue: ({ dictionary, shared }) => dictionary[kind]?.isDue(shared.writer.termMark) === true,
  run: async ({ dictionary, shared }, _, pacer) => dictionary[kind]?.advance(shared.writer.termMark, pacer),
});

/** The jobs that keep indexes of values up to date. */
export const INDEXING: readonly Job[] = [
  indexing('textIndex', 'index of texts'),
  indexing('orderIndex', 'index of order'),
  indexing('vectorIndex', 'index of vectors'),
];

/** Whether an index of the order of the terms is worth it. */
export const hasManyTerms = ({ settled, keyspace }: Dictionary): boolean => settled > keyspace.tuning.tailTerms / 4;

const merging = (order: Order): Job => ({
  name: `merge of runs in the order ${order.name}`,
  isDue: (timeline, damaged) => dueLive(timeline, order, damaged).length > 0,
  run: (timeline, damaged, pacer) => mergeLive(timeline, order, dueLive(timeline, order, damaged), damaged, pacer),
  findDamaged: async ({ index }, pacer) => {
    const runs = [...runsOf(index.runs, order, 'live'), ...runsOf(index.runs, order, 'tombstone')];
    return { runs: await damagedRuns(runs, pacer) };
  },
});

const mergingHistory = (order: Order): Job => ({
  name: `merge of history in the order ${order.name}`,
  isDue: (timeline, damaged) => dueHistory(timeline, order, damaged).length > 0,
  run: (timeline, damaged, pacer) => mergeHistory(timeline, order, dueHistory(timeline, order, damaged), pacer),
  findDamaged: async ({ index }, pacer) => ({ runs: await damagedRuns(runsOf(index.runs, order, 'history'), pacer) }),
});

const copyingBases: Job = {
  name: 'copy of the base of a long branch',
  isDue: isCopyDue,
  run: (timeline, _, pacer) => copyBase(timeline, pacer),
};

export const JOBS: readonly Job[] = [
  flushing,
  flushingTerms,
  mergingHashRuns,
  ...ORDERS.flatMap((order) => [merging(order), mergingHistory(order)]),
  copyingBases,
  ...INDEXING,
];
