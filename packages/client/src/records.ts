/** Records of a server as the client gives them. */
import type { BranchInfo, Revision } from './types.js';

export interface RevisionRecord {
  readonly uuid: string;
  readonly ordinal: number;
  readonly datetime: string;
  readonly added: number;
  readonly removed: number;
  readonly size: number;
  readonly agent: string | null;
  readonly message: string | null;
}

export interface BranchRecord {
  readonly name: string;
  readonly head: RevisionRecord;
  readonly fork?: RevisionRecord;
}

export const revisionOf = (record: RevisionRecord): Revision => ({
  number: record.ordinal,
  id: record.uuid,
  time: new Date(record.datetime),
  added: record.added,
  removed: record.removed,
  size: record.size,
  ...(record.agent !== null && { author: record.agent }),
  ...(record.message !== null && { message: record.message }),
});

export const branchOf = ({ name, head, fork }: BranchRecord): BranchInfo => ({
  name,
  head: revisionOf(head),
  ...(fork !== undefined && { fork: revisionOf(fork) }),
});
