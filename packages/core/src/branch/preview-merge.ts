/** What a merge would do, without doing it. */
import { MISS } from '../keyspace/block-cache.js';
import type { QuadColumns } from '../index/quad-columns.js';
import type { Timeline } from '../timeline/timeline.js';
import type { DiffRow } from '../read/diff.js';
import type { DiffEntry } from '../read/diff-quads.js';
import { entryBatches } from '../read/diff-quads.js';
import { Snapshot } from '../read/snapshot.js';
import type { Revision, RevisionRecord } from '../revision/record.js';
import { toRevision } from '../revision/record.js';
import { Pacer } from '../runtime/env.js';
import type { Conflict } from './conflicts.js';
import { conflictTerms } from './conflicts.js';
import type { Place } from './diff-across.js';
import type { Lines, OpenLine } from './lines.js';
import type { MergeChoice } from './merge.js';
import { Merger, MOST_CONFLICTS } from './merge.js';

export interface CoreMergePreview {
  readonly base: Revision;
  readonly added: number;
  readonly removed: number;
  readonly conflictCount: number;
  readonly conflicts: readonly Conflict[];
  /** The changes that the merge would make, without those of conflicts. */
  changes(signal?: AbortSignal): AsyncGenerator<DiffEntry[]>;
}

export async function previewMerge(
  lines: Lines<OpenLine>,
  timeline: Timeline,
  theirs: Place,
  choice: MergeChoice,
): Promise<CoreMergePreview> {
  const record = timeline.published;
  const plan = await new Merger(lines, timeline).plan({ timeline, record }, theirs, choice);
  const pacer = new Pacer(timeline.env);
  const added = await netRows(timeline, record, plan.added, 1, pacer);
  const removed = await netRows(timeline, record, plan.removed, -1, pacer);
  return {
    base: toRevision(plan.base),
    added: added.length,
    removed: removed.length,
    conflictCount: plan.conflicts.length,
    conflicts: await Promise.all(
      plan.conflicts.slice(0, MOST_CONFLICTS).map((conflict) => conflictTerms(timeline, conflict)),
    ),
    changes: (signal) => entries(timeline, record, [...removed, ...added], signal),
  };
}

// Additions of quads that are absent, or removals of quads that are present.
async function netRows(
  timeline: Timeline,
  record: RevisionRecord,
  { length, s, p, o, g }: QuadColumns,
  op: 1 | -1,
  pacer: Pacer,
): Promise<DiffRow[]> {
  const snapshot = new Snapshot(timeline, record);
  const seeker = snapshot.seeker({ s: true, p: true, o: true, g: true });
  const rows: DiffRow[] = [];
  try {
    for (let i = 0; i < length; i++) {
      seeker.seek(s[i]!, p[i]!, o[i]!, g[i]!);
      let found = seeker.next();
      for (; found === MISS; found = seeker.next()) await seeker.fetch();
      if (found > 0 === (op === -1)) rows.push({ op, s: s[i]!, p: p[i]!, o: o[i]!, g: g[i]! });
      if (pacer.due()) await pacer.pause();
    }
    return rows;
  } finally {
    seeker.close();
    snapshot.close();
  }
}

async function* entries(
  timeline: Timeline,
  record: RevisionRecord,
  rows: readonly DiffRow[],
  signal: AbortSignal | undefined,
): AsyncGenerator<DiffEntry[]> {
  const snapshot = new Snapshot(timeline, record);
  const pacer = new Pacer(timeline.env, 4, signal);
  const each = async function* (): AsyncGenerator<DiffRow> {
    yield* rows;
  };
  try {
    yield* entryBatches(snapshot, each(), true, pacer);
  } finally {
    snapshot.close();
  }
}
