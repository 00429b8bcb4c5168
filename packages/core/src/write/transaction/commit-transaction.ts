/** Commits the changes of a transaction. */
import type { IdQuads } from '../../index/quad-columns.js';
import type * as RDF from '@rdfjs/types';
import { ConflictError } from '@quadrille/model';
import type { EndedColumns, QuadColumns } from '../../index/quad-columns.js';
import { sortQuads } from '../../index/quad-columns.js';
import type { SortedRows } from '../../index/run/write-orders.js';
import type { Timeline } from '../../timeline/timeline.js';
import type { Revision, RevisionRecord } from '../../revision/record.js';
import { fitsInRecord, mostRowsIn, toRevision } from '../../revision/record.js';
import type { Pacer } from '../../runtime/env.js';
import { commitIds, commitQuads } from '../commit.js';
import type { CommitMeta } from '../../timeline/change.js';
import { LargeChange } from '../large-change/large-change.js';
import { sortedEnded, sortedSet } from '../large-change/sorted-quads.js';
import type { GlobalIds } from './global-ids.js';
import type { LastChanges } from './pending-changes.js';
import type { StagedChanges } from './staged-changes.js';

/** Commits changes of a transaction that has not read: compares them with the newest head. */
export async function commitBlind(
  timeline: Timeline,
  { added, removed }: LastChanges,
  ids: GlobalIds,
  meta: CommitMeta,
  pacer: Pacer,
): Promise<Revision> {
  const toAdd = await ids.quads(added, true, pacer);
  const toRemove = (intern: boolean): Promise<IdQuads> => ids.quads(removed, intern, pacer);
  return commitQuads(timeline, toAdd, removed.length, toRemove, meta, pacer);
}

/** The predicates of the quads of its base that a transaction has read. */
export interface ReadPredicates {
  readonly base: number;
  readonly predicates: readonly RDF.Term[];
}

/**
 * Commits the changes of a transaction on the newest head. The transaction would have made the same changes there. No commit
 * since its base has changed a quad whose predicate it has read.
 * @throws ConflictError `REVISION_CONFLICT` if a commit has changed such a quad
 */
export async function commitRebased(
  timeline: Timeline,
  { base, predicates }: ReadPredicates,
  { added, removed }: LastChanges,
  ids: GlobalIds,
  meta: CommitMeta,
  pacer: Pacer,
): Promise<Revision> {
  const { dictionary, encoder } = timeline;
  const toAdd = await ids.quads(added, true, pacer);
  const toRemove = await ids.quads(removed, false, pacer);
  const read = new Set<number>();
  for (const predicate of predicates) read.add(await encoder.encode(predicate));
  // The id of a missing term is unknown, so its changes cannot be found. Any term added since may be the missing one.
  const isMissing = read.delete(0) || toRemove.length < removed.length;
  const { nextId } = dictionary;
  const validate = (): void => {
    const changed = timeline.recent.changedSince(base, read) || (isMissing && dictionary.nextId !== nextId);
    if (changed) throw conflict(timeline, base);
  };
  validate();
  return commitIds(timeline, toAdd, toRemove, { ...meta, validate }, pacer);
}

/**
 * Commits changes of a transaction that has read. Its base must still be the head.
 * @throws ConflictError `REVISION_CONFLICT` if other commits were made since
 */
export async function commitRead(
  timeline: Timeline,
  base: number,
  changes: StagedChanges,
  ids: GlobalIds,
  meta: CommitMeta,
  pacer: Pacer,
): Promise<Revision> {
  const { keyspace } = timeline;
  const added = (await ids.quads(await changes.netAdded(pacer), true, pacer)) as QuadColumns;
  const removed = await changes.netRemoved(pacer);
  timeline.checkCondition(meta);
  checkBase(timeline, base);
  const { deltaBytes } = keyspace.tuning;
  const small = added.length + removed.length <= mostRowsIn(deltaBytes);
  if (small && fitsInRecord(sortQuads(added), sortQuads(removed), deltaBytes)) {
    const check = (): void => checkBase(timeline, base);
    const staged = await timeline.change({ meta, pacer, check, prepare: async () => ({ added, removed }) });
    return toRevision(await staged!.durable);
  }
  return toRevision(await commitLarge(timeline, added, removed, { ...meta, ifRevision: base }, pacer));
}

async function commitLarge(
  timeline: Timeline,
  added: IdQuads,
  removed: EndedColumns,
  meta: CommitMeta,
  pacer: Pacer,
): Promise<RevisionRecord> {
  const { chunkRows } = timeline.keyspace.tuning;
  const change = new LargeChange(timeline, undefined, pacer);
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

function checkBase(timeline: Timeline, base: number): void {
  if (timeline.staged.number !== base) throw conflict(timeline, base);
}

const conflict = ({ staged }: Timeline, base: number): ConflictError =>
  new ConflictError(
    'REVISION_CONFLICT',
    `the transaction has read revision ${base}, and the head is ${staged.number} now: run the transaction again`,
    { details: { expected: base, head: staged.number } },
  );
