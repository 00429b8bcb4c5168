/** What a merge would do, without doing it. */
import type { LazySequence } from '@quadrille/model';
import { MISS } from '../keyspace/block-cache.js';
import { QuadColumns } from '../index/quad-columns.js';
import type { Timeline } from '../timeline/timeline.js';
import type { DiffEntry } from '../read/diff-quads.js';
import { addedOrRemoved } from '../read/diff-quads.js';
import { EntryReader } from '../read/entry-reader.js';
import { ListedChanges } from '../read/revision-changes.js';
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
  changes(): LazySequence<DiffEntry[]>;
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
  const added = await netRows(timeline, record, plan.added, false, pacer);
  const removed = await netRows(timeline, record, plan.removed, true, pacer);
  return {
    base: toRevision(plan.base),
    added: added.length,
    removed: removed.length,
    conflictCount: plan.conflicts.length,
    conflicts: await Promise.all(
      plan.conflicts.slice(0, MOST_CONFLICTS).map((conflict) => conflictTerms(timeline, conflict)),
    ),
    changes: () =>
      new EntryReader(() => ({
        snapshots: [new Snapshot(timeline, record)],
        rows: (pattern) => new ListedChanges({ removed, added }, pattern),
        entry: addedOrRemoved,
      })),
  };
}

// Additions of quads that are absent, or removals of quads that are present.
async function netRows(
  timeline: Timeline,
  record: RevisionRecord,
  { length, s, p, o, g }: QuadColumns,
  present: boolean,
  pacer: Pacer,
): Promise<QuadColumns> {
  const snapshot = new Snapshot(timeline, record);
  const seeker = snapshot.seeker({ s: true, p: true, o: true, g: true });
  const rows = new QuadColumns();
  try {
    for (let i = 0; i < length; i++) {
      seeker.seek(s[i]!, p[i]!, o[i]!, g[i]!);
      let found = seeker.next();
      for (; found === MISS; found = seeker.next()) await seeker.fetch();
      if (found > 0 === present) rows.push(s[i]!, p[i]!, o[i]!, g[i]!);
      if (pacer.due()) await pacer.pause();
    }
    return rows;
  } finally {
    seeker.close();
    snapshot.close();
  }
}
