/** Rebuilds the derived data: runs and statistics from the log, hash runs from the terms. */
import { flushTerms } from '../dictionary/dictionary-flush.js';
import { rebuildHashRuns } from '../dictionary/rebuild-hash-runs.js';
import { withLines } from '../branch/held-lines.js';
import type { Lines, OpenLine } from '../branch/lines.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { type Env, Pacer } from '../runtime/env.js';
import { FOREVER } from '../format/layout.js';
import { rewrittenOp } from '../keyspace/rewritten.js';
import type { Run, RunKind } from '../index/run/run.js';
import { GrowingRows } from '../index/run/growing-rows.js';
import { writeOrders } from '../index/run/write-orders.js';
import { freezeMemtables } from '../maintenance/flush.js';
import { mergeAll } from '../maintenance/merge-tiers.js';
import { writeAndSwitch } from '../maintenance/switch-runs.js';
import { inSequence } from '../write/large-change/sorted-quads.js';
import { sortedRows } from '../runtime/radix-sort.js';
import type { Timeline } from '../timeline/timeline.js';
import { RepositoryHandle } from '../open/handle.js';
import { deltaRows, numberOf } from '../revision/delta.js';
import { forgetValues } from '../values/no-values.js';
import { readRecords } from '../revision/log.js';
import { isSquash } from '../revision/record.js';
import type { RunSession } from '../index/run/run-session.js';
import { deleteStrays, sweepOrphans } from '../index/run/run-session.js';
import { Statistics } from '../index/statistics.js';
import { findStrayRuns, runsInLog } from '../maintenance/stray-runs.js';

/** Collects rows of one kind and writes them as runs, one chunk at a time. */
class RowCollector {
  readonly runs: Run[] = [];
  readonly rows = new GrowingRows();

  constructor(
    private readonly timeline: Timeline,
    private readonly session: RunSession,
    private readonly kind: RunKind,
    private readonly pacer: Pacer,
  ) {}

  get full(): boolean {
    return this.rows.length === this.timeline.keyspace.tuning.chunkRows;
  }

  async write(): Promise<void> {
    const { rows, session, kind, pacer } = this;
    if (rows.length === 0) return;
    // Rows arrive in the sequence of their revisions, and the sort is stable.
    const order = await sortedRows(rows.length, rows.columns.slice(0, 4), pacer);
    const sorted = await inSequence(rows, order, pacer);
    this.runs.push(...(await writeOrders(session, sorted, { kind }, pacer)).runs);
    rows.length = 0;
  }
}

/** Like {@link rebuildIndexes}, for a handle that was opened on the log. Also deletes the rest of the old indexes. */
export async function rebuildFromLog(handle: RepositoryHandle): Promise<void> {
  await rebuildIndexes(handle);
  const { timeline } = handle;
  const named = await runsInLog(timeline, 1, timeline.published.number);
  for (const run of timeline.index.runs) named.add(run.entry.id);
  await sweepOrphans(timeline.keyspace, named);
}

/** Makes the indexes of a repository that nobody has open from its log and its terms. */
export async function rebuildClosed(keyspace: Keyspace, env: Env): Promise<void> {
  const handle = await RepositoryHandle.openOnLog(keyspace, env);
  try {
    await rebuildFromLog(handle);
  } finally {
    await handle.close();
  }
}

/** Rebuilds the indexes of all lines, `main` first. */
export async function rebuildLines(lines: Lines<OpenLine>): Promise<void> {
  await withLines(lines, async (held) => {
    for (const handle of await held.handles()) await rebuildIndexes(handle);
  });
}

/** Replaces all runs of a line by runs that are made from its log. */
export async function rebuildIndexes(handle: RepositoryHandle): Promise<void> {
  const pacer = new Pacer(handle.env);
  await handle.maintenance.run(async () => {
    const { timeline } = handle;
    // The statistics are counted again. Without the manifest, numbers of deleted runs may be used again too.
    timeline.checkFailure();
    await timeline.keyspace.write([rewrittenOp(timeline.keyspace, handle.env)]);
    const { index, number } = await freezeMemtables(timeline);
    await writeAndSwitch(timeline, async (session) => {
      const { runs, counts } = await rowsOfLog(timeline, number, session, pacer);
      // Keeps runs that a large change has published meanwhile.
      const statistics = { counts, number };
      return { add: runs, drop: index.runs, flushed: number, memtables: index.memtables, statistics };
    });
    timeline.revisionStatistics.forget();
    await timeline.dictionary.lock.run(async () => {
      if (timeline.dictionary.tail.size > 0) await flushTerms(timeline.dictionary, pacer);
      await rebuildHashRuns(timeline.dictionary, pacer);
    });
    await forgetValues(timeline.dictionary);
    await mendVectors(handle, pacer);
    await mergeAll(timeline, pacer);
    handle.scheduler.forgetDamage();
    const { number: present } = timeline.published;
    const inLog = await runsInLog(timeline, timeline.firstOwn, present);
    await deleteStrays(timeline.keyspace, await findStrayRuns(timeline, inLog, present));
  });
}

// What a function has made of texts stays as far as it is right.
async function mendVectors({ timeline, settings }: RepositoryHandle, pacer: Pacer): Promise<void> {
  const { vectors } = (await settings.read()).search ?? {};
  if (vectors === undefined) return;
  const { mendEmbeddings, VectorIndexes } = await import('../read/vectors.js');
  const { dictionary } = timeline;
  for (const each of (await VectorIndexes.open(dictionary, vectors)).allEmbedded)
    await mendEmbeddings(dictionary, each, pacer);
}

// Writes the changes of all revisions up to `last` as runs, and counts them.
async function rowsOfLog(
  timeline: Timeline,
  last: number,
  session: RunSession,
  pacer: Pacer,
): Promise<{ runs: Run[]; counts: Statistics }> {
  const live = new RowCollector(timeline, session, 'live', pacer);
  const tombstones = new RowCollector(timeline, session, 'tombstone', pacer);
  const { base } = timeline;
  const counts = base === undefined ? new Statistics() : (await base.timeline.revisionStatistics.of(base.fork)).copy();
  for await (const record of readRecords(timeline.keyspace, timeline.firstOwn, last)) {
    const squash = isSquash(record);
    for (const side of ['added', 'removed'] as const) {
      const collector = side === 'added' ? live : tombstones;
      for await (const { columns, start, end } of deltaRows(timeline.keyspace, record, side)) {
        const [s, p, o, g, from, to] = columns;
        for (let i = start; i < end; i++) {
          const at = squash ? numberOf(record, (side === 'added' ? from : to)[i]!) : record.number;
          if (side === 'added') live.rows.push(s[i]!, p[i]!, o[i]!, g[i]!, at, FOREVER);
          else tombstones.rows.push(s[i]!, p[i]!, o[i]!, g[i]!, from[i]!, at);
          if (collector.full) await collector.write();
        }
        counts.apply({ p, g, length: end }, side === 'added' ? 1 : -1, start, end);
        if (pacer.due()) await pacer.pause();
      }
    }
  }
  await live.write();
  await tombstones.write();
  return { runs: [...live.runs, ...tombstones.runs], counts };
}
