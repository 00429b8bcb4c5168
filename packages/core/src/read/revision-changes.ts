/** The net changes of one revision. The changes of a small revision are read from its record, and of a large one from the indexes. */
import type { IdQuads } from '../index/quad-columns.js';
import type { Timeline } from '../timeline/timeline.js';
import type { IdPattern } from '../index/orders.js';
import type { RevisionRecord } from '../revision/record.js';
import { baseOf, isSquash } from '../revision/record.js';
import { Pacer } from '../runtime/env.js';
import type { DiffRow } from './diff.js';
import { diffRows } from './diff.js';
import type { DiffEntry } from './diff-quads.js';
import { entryBatches } from './diff-quads.js';
import type { TermPattern } from './snapshot.js';
import { Snapshot } from './snapshot.js';

/** The quads that a revision has added and removed, in batches. With a pattern only those that match. */
export async function* revisionChanges(
  timeline: Timeline,
  record: RevisionRecord,
  pattern: TermPattern = {},
  signal?: AbortSignal,
): AsyncGenerator<DiffEntry[]> {
  const snapshot = new Snapshot(timeline, record);
  try {
    const ids = await snapshot.ids(pattern);
    if (ids === undefined) return;
    const pacer = new Pacer(timeline.env, undefined, signal);
    yield* entryBatches(snapshot, changedRows(snapshot, ids, pacer), true, pacer);
  } finally {
    snapshot.close();
  }
}

/** Whether a revision has changed any quad that matches. */
export async function touchesPattern(
  timeline: Timeline,
  record: RevisionRecord,
  pattern: TermPattern,
  pacer: Pacer,
): Promise<boolean> {
  const snapshot = new Snapshot(timeline, record);
  try {
    const ids = await snapshot.ids(pattern);
    if (ids === undefined) return false;
    const first = await changedRows(snapshot, ids, pacer).next();
    return first.done !== true;
  } finally {
    snapshot.close();
  }
}

async function* changedRows({ index, record }: Snapshot, ids: IdPattern, pacer: Pacer): AsyncGenerator<DiffRow> {
  // With a payload, and in a squash, the delta is not net: a quad may be on both of its sides.
  if (record.payload !== undefined || isSquash(record))
    return yield* diffRows(index, baseOf(record), record.number, pacer, ids);
  yield* matching(record.removed, -1, ids);
  yield* matching(record.added, 1, ids);
}

function* matching({ length, s, p, o, g }: IdQuads, op: 1 | -1, ids: IdPattern): Generator<DiffRow> {
  for (let i = 0; i < length; i++) {
    const row = { op, s: s[i]!, p: p[i]!, o: o[i]!, g: g[i]! } as const;
    if (matches(row, ids)) yield row;
  }
}

const matches = (row: DiffRow, { s, p, o, g }: IdPattern): boolean =>
  (s === 0 || row.s === s) && (p === 0 || row.p === p) && (o === 0 || row.o === o) && (g === 0 || row.g === g);
