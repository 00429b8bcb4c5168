/** Replaces runs or memtables by new runs: one atomic write under the write lock. */
import { Memtable } from '../index/index-version.js';
import type { Run } from '../index/run/run.js';
import { deleteWhenUnused, retireOps, RunSession } from '../index/run/run-session.js';
import type { Timeline } from '../timeline/timeline.js';
import type { StateChange } from '../timeline/state.js';
import { deltaRows } from '../revision/delta.js';
import { readRecords } from '../revision/log.js';
import type { Statistics } from '../index/statistics.js';
import { Pacer } from '../runtime/env.js';
import type { Checkpoint } from '../revision/checkpoints.js';
import { Checkpoints } from '../revision/checkpoints.js';
import type { Switch } from '../timeline/change.js';

export interface RunSwitch {
  readonly add: readonly Run[];
  readonly drop: readonly Run[];
  /** Memtables that the new runs replace, and the newest revision that they contain. */
  readonly memtables?: readonly Memtable[];
  readonly flushed?: number;
  /** New statistics, and the revision at which they are correct. */
  readonly statistics?: { readonly counts: Statistics; readonly number: number };
}

/**
 * Writes new runs and switches to them, under the maintenance lock. If this fails, nothing is switched and the new runs are deleted at once.
 * Otherwise a job that fails repeatedly would fill the disk.
 */
export async function writeAndSwitch(
  timeline: Timeline,
  write: (session: RunSession) => Promise<RunSwitch>,
): Promise<void> {
  timeline.maintenance.assertHeld();
  const session = new RunSession(timeline);
  try {
    await switchRuns(timeline, await write(session), session);
  } catch (error) {
    // After a failed write its effect is unknown. Whoever reads the next timeline deletes the runs that the
    // manifest does not name.
    if (timeline.failure === undefined) await session.abandon().catch(() => undefined);
    throw error;
  }
}

async function switchRuns(timeline: Timeline, change: RunSwitch, session: RunSession): Promise<void> {
  const { keyspace } = timeline;
  const prepare = async (): Promise<Switch> => {
    const { index } = timeline;
    const runs = replaceRuns(index.runs, change);
    const memtables = index.memtables.filter((memtable) => !change.memtables?.includes(memtable));
    const flushed = change.flushed ?? timeline.flushed;
    const recount =
      change.statistics && (await recounted(timeline, change.statistics.counts, change.statistics.number));
    const checkpoints = recount?.checkpoints ?? timeline.checkpoints;
    const publish = (): StateChange => {
      session.giveBack();
      for (const run of change.drop) deleteWhenUnused(keyspace, timeline.retiring, run);
      const switched = index.with(runs, memtables.length > 0 ? memtables : [new Memtable()]);
      return { index: switched, flushed, checkpoints, statistics: change.statistics?.counts };
    };
    const counts = recount === undefined ? [] : timeline.checkpointOps(recount, runs);
    const manifest = timeline.manifestOps(runs, { flushed, checkpoint: checkpoints.number });
    if (manifest.length > 1) await keyspace.format.raise();
    return { ops: [...counts, ...manifest, ...retireOps(keyspace, change.drop), ...session.finish()], publish };
  };
  await timeline.writeLock.run(() => timeline.switch(prepare));
}

// Brings new statistics of revision `number` up to the present revision.
async function recounted(timeline: Timeline, counts: Statistics, number: number): Promise<Checkpoint> {
  const pacer = new Pacer(timeline.env);
  for await (const record of readRecords(timeline.keyspace, number + 1, timeline.published.number)) {
    for (const side of ['added', 'removed'] as const) {
      for await (const { columns, start, end } of deltaRows(timeline.keyspace, record, side)) {
        counts.apply({ p: columns[1], g: columns[3], length: end }, side === 'added' ? 1 : -1, start, end);
        if (pacer.due()) await pacer.pause();
      }
    }
  }
  return Checkpoints.whole(timeline.published.number, counts, pacer);
}

// New runs take the place of the oldest dropped run, so that runs stay in order of age.
function replaceRuns(runs: readonly Run[], { add, drop }: RunSwitch): Run[] {
  const first = runs.findIndex((run) => drop.includes(run));
  const kept = runs.filter((run) => !drop.includes(run));
  if (first === -1) return [...kept, ...add];
  const before = runs.slice(0, first).filter((run) => !drop.includes(run)).length;
  return [...kept.slice(0, before), ...add, ...kept.slice(before)];
}
