/** What belongs to a squash of a history file: the revisions that it stands for are not in the file. */
import type { WriteOp } from '@quadrille/storage';
import { Tag } from '../format/layout.js';
import type { Timeline } from '../timeline/timeline.js';
import type { RevisionBody } from '../revision/record.js';
import { rewritten } from '../revision/record.js';
import { TrimmedNumbers, unknownOp } from '../revision/trimmed-numbers.js';

type Described = Pick<RevisionBody, 'kind' | 'parentId' | 'number'>;

/** Whether a revision is the first of its history: it takes the place of the empty first revision. */
export const isFirst = ({ kind, parentId, number }: Described): boolean =>
  kind === 'squash' && parentId === undefined && number > 1;

/** The writes for the numbers that the revision leaves out after the staged head. */
export function jumpOps({ keyspace, staged }: Timeline, revision: Described): WriteOp[] {
  const { number } = revision;
  const first = isFirst(revision) ? 1 : staged.number + 1;
  const ops: WriteOp[] = [];
  if (first < number) ops.push(unknownOp(keyspace, first, number - first));
  for (const tag of first === 1 ? [Tag.log, Tag.hashCheckpoint, Tag.signature] : [])
    ops.push({ type: 'deleteRange', gte: keyspace.key(tag, 1), lt: keyspace.key(tag, 2) });
  return ops;
}

/** What was read of the log before may be wrong. Call it when the revision is durable. */
export function forgetNumbers({ keyspace, recentRecords, recentNumbers }: Timeline): void {
  TrimmedNumbers.forget(keyspace);
  recentRecords.clear();
  recentNumbers.clear();
}

/** The record of a squash: its rows tell their revisions. Rows of an import begin and end with the revision itself. */
export function asSquash(body: RevisionBody, before: number, first: boolean): RevisionBody {
  if (body.kind !== 'squash') return body;
  const { number, added, removed } = body;
  return rewritten(body, {
    since: first ? 0 : before,
    parentId: first ? undefined : body.parentId,
    parentDigest: first ? new Uint8Array(body.parentDigest.length) : body.parentDigest,
    added: { ...columnsOf(added), from: new Uint32Array(added.length).fill(number) },
    removed: { ...columnsOf(removed), from: removed.from, to: new Uint32Array(removed.length).fill(number) },
  });
}

const columnsOf = ({ length, s, p, o, g }: RevisionBody['added']): RevisionBody['added'] => ({ length, s, p, o, g });
