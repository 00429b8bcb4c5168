/** Removes all that matches a pattern: few quads by name, many as a large change that replaces them with nothing. */
import { ConflictError } from '@quadrille/model';
import { QuadColumns } from '../index/quad-columns.js';
import { MISS } from '../keyspace/block-cache.js';
import type { CommitMeta } from './committer.js';
import { commitIds } from './commit.js';
import { Pacer } from '../runtime/env.js';
import type { IdPattern } from '../index/orders.js';
import { accessPath } from '../index/orders.js';
import { LargeChange } from './large-change/large-change.js';
import type { Generation } from '../open/generation.js';
import type { Revision } from '../revision/record.js';
import { toRevision } from '../revision/record.js';
import type { Snapshot, TermPattern } from '../read/snapshot.js';

/** Removes what matches in a snapshot of the newest revision, and closes that. */
export async function removeMatches(snapshot: Snapshot, pattern: TermPattern, meta: CommitMeta): Promise<Revision> {
  const { generation } = snapshot;
  try {
    const ids = await snapshot.ids(pattern);
    if (ids === undefined) return await commitIds(generation, new QuadColumns(), new QuadColumns(), meta);
    const few = await collectFew(snapshot, ids);
    if (few !== undefined) {
      try {
        return await commitIds(generation, new QuadColumns(), few, {
          ...meta,
          ifRevision: meta.ifRevision ?? snapshot.number,
        });
      } catch (error) {
        // Others committed meanwhile, perhaps what matches: the long way looks again under the write lock.
        if (!(error instanceof ConflictError) || meta.ifRevision !== undefined) throw error;
      }
    }
    return await replaceWithNothing(generation, ids, meta);
  } finally {
    snapshot.close();
  }
}

async function replaceWithNothing(generation: Generation, scope: IdPattern, meta: CommitMeta): Promise<Revision> {
  const change = new LargeChange(generation, scope, new Pacer(generation.env));
  try {
    return toRevision(await change.commit(meta));
  } finally {
    await change.close();
  }
}

async function collectFew(snapshot: Snapshot, ids: IdPattern): Promise<QuadColumns | undefined> {
  const found = new QuadColumns();
  const scan = snapshot.scan(ids);
  const { order } = accessPath(ids);
  try {
    for (;;) {
      const rows = scan.next();
      if (rows === 0) return found;
      if (rows === MISS) {
        await scan.fetch();
        continue;
      }
      if (found.length + rows > snapshot.generation.keyspace.tuning.smallRows) return undefined;
      const [s, p, o, g] = order.places.map((at) => scan.batch.columns[at]!);
      for (let i = scan.batch.start; i < scan.batch.end; i++) found.push(s![i]!, p![i]!, o![i]!, g![i]!);
    }
  } finally {
    scan.close();
  }
}
