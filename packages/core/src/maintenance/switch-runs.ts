/** Replaces runs or memtables by new runs: one atomic write under the write lock. */
import type { WriteOp } from '@quadrille/storage';
import { Tag } from '../format/layout.js';
import { Memtable } from '../index/index-version.js';
import type { Run } from '../index/run/run.js';
import { deleteWhenUnused, retireOps, RunSession } from '../index/run/run-session.js';
import type { Generation } from '../open/generation.js';
import { deltaRows } from '../revision/delta.js';
import { readRecords } from '../revision/log.js';
import type { Statistics } from '../revision/statistics.js';
import { Pacer } from '../runtime/env.js';

export interface Switch {
  readonly add: readonly Run[];
  readonly drop: readonly Run[];
  /** Memtables that the new runs replace, and the newest revision that they contain. */
  readonly memtables?: readonly Memtable[];
  readonly flushed?: number;
  /** New statistics, and the revision at which they are correct. */
  readonly statistics?: { readonly counts: Statistics; readonly number: number };
}

/**
 * Writes new runs and switches to them. If this fails, nothing is switched and the new runs are deleted at once.
 * Otherwise a job that fails repeatedly would fill the disk.
 */
export async function writeAndSwitch(
  generation: Generation,
  write: (session: RunSession) => Promise<Switch>,
): Promise<void> {
  const session = new RunSession(generation.keyspace, generation.numbers);
  try {
    await switchRuns(generation, await write(session), session);
  } catch (error) {
    // After a failed write its effect is unknown. Whoever reads the next generation deletes the runs that the
    // manifest does not name.
    if (generation.failure === undefined) await session.abandon().catch(() => undefined);
    throw error;
  }
}

async function switchRuns(generation: Generation, change: Switch, session: RunSession): Promise<void> {
  const { committer } = generation;
  await committer.writeLock.run(async () => {
    await committer.drain();
    if (generation.failure !== undefined) throw generation.failure;
    const { index } = generation;
    const runs = replaceRuns(index.runs, change);
    const memtables = index.memtables.filter((memtable) => !change.memtables?.includes(memtable));
    const flushed = change.flushed ?? generation.flushed;
    const counts =
      change.statistics === undefined
        ? []
        : await recountOps(generation, change.statistics.counts, change.statistics.number);
    const ops: WriteOp[] = [
      ...counts,
      {
        type: 'put',
        key: generation.keyspace.key(Tag.root),
        value: generation.encodeRoot(
          runs.map((run) => run.entry),
          { flushed },
        ),
      },
      ...retireOps(generation.keyspace, change.drop),
      ...session.finish(),
    ];
    await generation.keyspace.write(ops);
    generation.flushed = flushed;
    for (const run of change.drop) deleteWhenUnused(generation.keyspace, generation.retiring, run);
    generation.replaceIndex(index.with(runs, memtables.length > 0 ? memtables : [new Memtable()]));
  });
}

// Brings new statistics of revision `number` up to the present revision, and writes a checkpoint.
async function recountOps(generation: Generation, counts: Statistics, number: number): Promise<WriteOp[]> {
  const pacer = new Pacer(generation.env);
  for await (const record of readRecords(generation.keyspace, number + 1, generation.published.number)) {
    for (const side of ['added', 'removed'] as const) {
      for await (const { columns, start, end } of deltaRows(generation.keyspace, record, side)) {
        counts.apply({ p: columns[1], g: columns[3], length: end }, side === 'added' ? 1 : -1, start, end);
        if (pacer.due()) await pacer.pause();
      }
    }
  }
  generation.statistics = counts;
  const { number: present } = generation.published;
  const encoded = await counts.encode(pacer);
  return generation.committer.checkpointOps({ number: present, encoded }, generation.index.runs);
}

// New runs take the place of the oldest dropped run, so that runs stay in order of age.
function replaceRuns(runs: readonly Run[], { add, drop }: Switch): Run[] {
  const first = runs.findIndex((run) => drop.includes(run));
  const kept = runs.filter((run) => !drop.includes(run));
  if (first === -1) return [...kept, ...add];
  const before = runs.slice(0, first).filter((run) => !drop.includes(run)).length;
  return [...kept.slice(0, before), ...add, ...kept.slice(before)];
}
