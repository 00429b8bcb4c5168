/** Metadata and conditions of a commit. */
import type { Ref } from '@quadrille/core';
import type { QueryOptions } from './query.js';

export interface CommitOptions {
  readonly signal?: AbortSignal | undefined;
  /** At most 16 KiB of UTF-8. */
  readonly message?: string | undefined;
  /** At most 1 KiB of UTF-8. */
  readonly author?: string | undefined;
  /** Commit only if this is still the head. Otherwise the commit fails with `REVISION_CONFLICT` and changes nothing. */
  readonly ifRevision?: Ref | undefined;
  /**
   * For replicas: the UUID of the revision at its origin. It is used if its version is 7 or 1 and its time is later than that of the
   * head and not in the future; otherwise it is ignored.
   */
  readonly id?: string | undefined;
}
export interface UpdateOptions extends CommitOptions, Omit<QueryOptions, 'signal' | 'extraGraphs'> {}
export interface ImportOptions extends CommitOptions {
  /**
   * Treatment of blank node labels. `'scope'` (default) makes each label a new node of this stream, as `load` does for documents:
   * two documents may use the same label for different nodes. `'keep'` keeps the labels, for quads that were read from this
   * repository.
   */
  readonly blankNodes?: 'scope' | 'keep' | undefined;
}
export interface PatchOptions extends CommitOptions {
  /** Named in errors; default the path. */
  readonly sourceName?: string | undefined;
}
export interface TransactionOptions extends CommitOptions {
  /** Number of retries after a conflict with a concurrent commit. Default 0. */
  readonly retries?: number | undefined;
}
