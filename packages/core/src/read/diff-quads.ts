/** The difference between two revisions as RDF/JS quads. */
import type * as RDF from '@rdfjs/types';
import { Pacer } from '../runtime/env.js';
import type { EndSignal } from '../runtime/env.js';
import type { Timeline } from '../timeline/timeline.js';
import type { RevisionRecord } from '../revision/record.js';
import type { ChangeRows } from './change-window.js';
import { ChangeScan } from './diff.js';
import type { EntrySource } from './entry-reader.js';
import { Snapshot } from './snapshot.js';

/** A quad that was added or removed. */
export interface DiffEntry {
  /** Whether it is in the later state alone, or in the earlier one alone. */
  readonly op: 'add' | 'remove';
  /** The quad, with its graph. */
  readonly quad: RDF.Quad;
}

/** The entry of a change. */
export const addedOrRemoved = (quad: RDF.Quad, row: number, { ops }: ChangeRows): DiffEntry => ({
  op: ops[row] === 1 ? 'add' : 'remove',
  quad,
});

const reversed = (quad: RDF.Quad, row: number, { ops }: ChangeRows): DiffEntry => ({
  op: ops[row] === 1 ? 'remove' : 'add',
  quad,
});

/** The net changes from revision `from` to revision `to` of one line, in the order of the pattern's access path. `to` may be the earlier one. */
export function diffQuads(
  timeline: Timeline,
  from: RevisionRecord,
  to: RevisionRecord,
  signal?: EndSignal,
): EntrySource<DiffEntry> {
  const forward = from.number <= to.number;
  const [earlier, later] = forward ? [from, to] : [to, from];
  const snapshot = new Snapshot(timeline, later);
  const range = { index: snapshot.index, from: earlier.number, to: later.number };
  return {
    snapshots: [snapshot],
    rows: (pattern) => new ChangeScan(range, new Pacer(timeline.env, undefined, signal), pattern),
    // If `from` is the later one, what was added counts as removed, and the reverse.
    entry: forward ? addedOrRemoved : reversed,
  };
}
