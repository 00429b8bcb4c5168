/** Removes all quads that match a pattern: it replaces them by nothing. */
import { NO_QUADS } from '../index/quad-columns.js';
import { Pacer } from '../runtime/env.js';
import type { Snapshot, TermPattern } from '../read/snapshot.js';
import type { Revision } from '../revision/record.js';
import { commitIds } from './commit.js';
import type { CommitMeta } from '../timeline/change.js';
import { replaceQuads } from './replace-quads.js';

/** Removes the matching quads. `snapshot` is a snapshot of the newest revision, which this function closes. */
export async function removeMatches(snapshot: Snapshot, pattern: TermPattern, meta: CommitMeta): Promise<Revision> {
  const { timeline } = snapshot;
  try {
    const scope = await snapshot.ids(pattern);
    if (scope === undefined) return await commitIds(timeline, NO_QUADS, NO_QUADS, meta);
    return await replaceQuads(timeline, scope, NO_QUADS, meta, new Pacer(timeline.env));
  } finally {
    snapshot.close();
  }
}
