/** The history of another copy of a repository, as replication sees it. */
import { ConflictError } from '@quadrille/model';

/** Where another copy stands. */
export interface Standing {
  /** UUID of its head. */
  readonly head: string;
  /** Number of its head. */
  readonly number: number;
  /** The first of the asked UUIDs that is one of its revisions. */
  readonly common: string | undefined;
}

/** Another copy. */
export interface RemoteHistory {
  /** How messages name it. */
  readonly name: string;
  /** @param have UUIDs of revisions, the newest first, at most 64 */
  standing(have: readonly string[]): Promise<Standing>;
  /** A history file: the revisions after one, or all of them. */
  read(after: string | undefined): Promise<AsyncIterable<Uint8Array>>;
  /** A history file of all branches. */
  readAll(): Promise<AsyncIterable<Uint8Array>>;
  /** Appends the revisions of a history file. Answers how many it did not have. */
  write(pieces: AsyncIterable<string>): Promise<number>;
}

/** @param ours how the message names our copy, @param theirs the other one */
export function diverged(ours: string, theirs: string, common: number | undefined): ConflictError {
  const since =
    common === undefined || common === 1
      ? 'they have no revision in common'
      : `both have revisions of their own after revision ${String(common)}`;
  return new ConflictError('HISTORY_DIVERGED', `${ours} and ${theirs} have different histories: ${since}`, {
    details: { common },
  });
}
