/** The net changes of one revision. The changes of a small revision are read from its record, and of a large one from the indexes. */
import { MISS } from '../keyspace/block-cache.js';
import type { Timeline } from '../timeline/timeline.js';
import type { IdPattern } from '../index/orders.js';
import { SPOG } from '../index/orders.js';
import type { IdQuads } from '../index/quad-columns.js';
import type { RevisionRecord } from '../revision/record.js';
import { baseOf, isSquash } from '../revision/record.js';
import { Pacer } from '../runtime/env.js';
import type { EndSignal } from '../runtime/env.js';
import { ChangeWindow } from './change-window.js';
import type { ChangeRows } from './change-window.js';
import { ChangeScan } from './diff.js';
import type { DiffEntry } from './diff-quads.js';
import { addedOrRemoved } from './diff-quads.js';
import type { EntrySource } from './entry-reader.js';
import type { TermPattern } from './snapshot.js';
import { Snapshot } from './snapshot.js';

/** The quads that a revision has added and removed. */
export function revisionChanges(
  timeline: Timeline,
  record: RevisionRecord,
  signal?: EndSignal,
): EntrySource<DiffEntry> {
  const snapshot = new Snapshot(timeline, record);
  return {
    snapshots: [snapshot],
    rows: (pattern) => changedRows(snapshot, pattern, new Pacer(timeline.env, undefined, signal)),
    entry: addedOrRemoved,
  };
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
    const rows = changedRows(snapshot, ids, pacer);
    try {
      for (;;) {
        const count = rows.next();
        if (count !== MISS) return count > 0;
        await rows.fetch();
      }
    } finally {
      rows.close();
    }
  } finally {
    snapshot.close();
  }
}

/** The rows of the changes of a revision that match. `index` is that of a snapshot of it or of a later revision. */
export function changedRows(
  { index, record }: Pick<Snapshot, 'index' | 'record'>,
  pattern: IdPattern,
  pacer: Pacer,
): ChangeRows {
  // With a payload, and in a squash, the delta is not net: a quad may be on both of its sides.
  if (record.payload === undefined && !isSquash(record)) return new ListedChanges(record, pattern);
  return new ChangeScan({ index, from: baseOf(record), to: record.number }, pacer, pattern);
}

/** The matching quads of a list of changes: those that are removed, then those that are added. */
export class ListedChanges extends ChangeWindow implements ChangeRows {
  #side: 'removed' | 'added' | undefined = 'removed';
  #at = 0;

  constructor(
    private readonly changes: { readonly removed: IdQuads; readonly added: IdQuads },
    private readonly pattern: IdPattern,
  ) {
    super(SPOG);
  }

  next(): number {
    this.begin();
    while (this.#side !== undefined && this.room > 0) {
      const { length, s, p, o, g } = this.changes[this.#side];
      const at = this.#at++;
      if (at < length) {
        if (matches(s[at]!, p[at]!, o[at]!, g[at]!, this.pattern))
          this.push(s[at]!, p[at]!, o[at]!, g[at]!, this.#side === 'added' ? 1 : -1);
        continue;
      }
      this.#side = this.#side === 'removed' ? 'added' : undefined;
      this.#at = 0;
    }
    return this.handOut();
  }

  async fetch(): Promise<void> {}

  close(): void {}
}

const matches = (s: number, p: number, o: number, g: number, pattern: IdPattern): boolean =>
  (pattern.s === 0 || s === pattern.s) &&
  (pattern.p === 0 || p === pattern.p) &&
  (pattern.o === 0 || o === pattern.o) &&
  (pattern.g === 0 || g === pattern.g);
