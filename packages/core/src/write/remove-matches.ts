/** Removes all quads that match a pattern. It is a large change that replaces them with nothing. */
import { QuadColumns } from '../index/quad-columns.js';
import { Pacer } from '../runtime/env.js';
import type { Snapshot, TermPattern } from '../read/snapshot.js';
import type { Revision } from '../revision/record.js';
import { toRevision } from '../revision/record.js';
import { commitIds } from './commit.js';
import type { CommitMeta } from '../timeline/change.js';
import { LargeChange } from './large-change/large-change.js';

/** Removes the matching quads. `snapshot` is a snapshot of the newest revision, which this function closes. */
export async function removeMatches(snapshot: Snapshot, pattern: TermPattern, meta: CommitMeta): Promise<Revision> {
  const { timeline } = snapshot;
  try {
    const scope = await snapshot.ids(pattern);
    if (scope === undefined) return await commitIds(timeline, new QuadColumns(), new QuadColumns(), meta);
    const change = new LargeChange(timeline, scope, new Pacer(timeline.env));
    try {
      return toRevision(await change.commit(meta));
    } finally {
      await change.close();
    }
  } finally {
    snapshot.close();
  }
}
