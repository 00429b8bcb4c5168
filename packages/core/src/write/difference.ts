/** The difference between two revisions as columns of ids, for a commit that undoes it. */
import { QuadColumns } from '../index/quad-columns.js';
import { Pacer } from '../runtime/env.js';
import type { Generation } from '../open/generation.js';
import { Snapshot } from '../read/snapshot.js';
import { diffRows } from '../read/diff.js';
import type { RevisionRecord } from '../revision/record.js';

export interface Difference {
  readonly added: QuadColumns;
  readonly removed: QuadColumns;
}

/** The quads that the later revision has and the earlier one lacks (`added`), and the reverse (`removed`). */
export async function difference(
  generation: Generation,
  earlier: RevisionRecord,
  later: RevisionRecord,
): Promise<Difference> {
  const added = new QuadColumns();
  const removed = new QuadColumns();
  const snapshot = new Snapshot(generation, later);
  try {
    for await (const { op, s, p, o, g } of diffRows(
      snapshot.index,
      earlier.number,
      later.number,
      new Pacer(generation.env),
    ))
      (op === 1 ? added : removed).push(s, p, o, g);
    return { added, removed };
  } finally {
    snapshot.close();
  }
}
