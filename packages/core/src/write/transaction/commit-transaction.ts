/** Commits what a transaction changed. */
import { ConflictError } from '@quadrille/model';
import type { EndedColumns, QuadColumns } from '../../index/quad-columns.js';
import { sortQuads } from '../../index/quad-columns.js';
import type { SortedRows } from '../../index/run/write-orders.js';
import type { Generation } from '../../open/generation.js';
import type { IdQuads, Revision, RevisionRecord } from '../../revision/record.js';
import { fitsInRecord, mostRowsIn, toRevision } from '../../revision/record.js';
import { Pacer } from '../../runtime/env.js';
import { commitIds } from '../commit.js';
import type { CommitMeta } from '../committer.js';
import { LargeChange } from '../large-change/large-change.js';
import { sortedEnded, sortedSet } from '../large-change/sorted-quads.js';
import type { GlobalIds } from './global-ids.js';
import type { LastChanges } from './pending-changes.js';
import type { StagedChanges } from './staged-changes.js';

/** Changes that depend on nothing are compared with the newest state. */
export async function commitBlind(
  generation: Generation,
  { added, removed }: LastChanges,
  ids: GlobalIds,
  meta: CommitMeta,
): Promise<Revision> {
  const pacer = new Pacer(generation.env);
  const toAdd = await ids.quads(added, true, pacer);
  return commitIds(generation, toAdd, await ids.quads(removed, false, pacer), meta);
}

/**
 * Changes that depend on a base, which must be the head.
 * @throws ConflictError `REVISION_CONFLICT`
 */
export async function commitRead(
  generation: Generation,
  base: number,
  changes: StagedChanges,
  ids: GlobalIds,
  meta: CommitMeta,
): Promise<Revision> {
  const pacer = new Pacer(generation.env);
  const { committer, keyspace } = generation;
  const added = (await ids.quads(await changes.netAdded(pacer), true, pacer)) as QuadColumns;
  const removed = await changes.netRemoved(pacer);
  committer.checkCondition(meta);
  checkBase(generation, base);
  const { deltaBytes } = keyspace.tuning;
  const small = added.length + removed.length <= mostRowsIn(deltaBytes);
  if (small && fitsInRecord(sortQuads(added), sortQuads(removed), deltaBytes)) {
    const staged = await committer.writeLock.run(async () => {
      committer.checkCondition(meta);
      generation.checkWritable();
      checkBase(generation, base);
      const due = committer.dueCheckpoint(pacer);
      const checkpoint = due && (await due);
      return { durable: committer.stage({ added, removed }, meta, checkpoint) };
    });
    return toRevision(await staged.durable);
  }
  return toRevision(await commitLarge(generation, added, removed, { ...meta, ifRevision: base }, pacer));
}

async function commitLarge(
  generation: Generation,
  added: IdQuads,
  removed: EndedColumns,
  meta: CommitMeta,
  pacer: Pacer,
): Promise<RevisionRecord> {
  const { chunkRows } = generation.keyspace.tuning;
  const change = new LargeChange(generation, undefined, pacer);
  try {
    for (const rows of chunks(await sortedSet(added, pacer), chunkRows)) await change.addKnown(rows);
    for (const rows of chunks(await sortedEnded(removed, pacer), chunkRows)) await change.removeKnown(rows);
    return await change.commit(meta);
  } finally {
    await change.close();
  }
}

function* chunks({ columns, length }: SortedRows, rows: number): Generator<SortedRows> {
  for (let at = 0; at < length; at += rows) {
    const end = Math.min(at + rows, length);
    const cut = (column: number): Uint32Array => columns[column]!.subarray(at, end);
    yield { columns: [cut(0), cut(1), cut(2), cut(3), cut(4), cut(5)], length: end - at };
  }
}

function checkBase({ staged }: Generation, base: number): void {
  if (staged.number === base) return;
  throw new ConflictError(
    'REVISION_CONFLICT',
    `the transaction has read revision ${base}, and the head is ${staged.number} by now: run it again`,
    { details: { expected: base, head: staged.number } },
  );
}
