/** What is said of a commit. */
import type { Ref } from '@quadrille/core';
import type { QueryOptions } from './query.js';

export interface CommitOptions {
  readonly signal?: AbortSignal;
  /** At most 16 KiB of UTF-8. */
  readonly message?: string;
  /** At most 1 KiB of UTF-8. */
  readonly author?: string;
  /** Commit only if this is still the head; else `REVISION_CONFLICT` and nothing changed. */
  readonly ifRevision?: Ref;
  /**
   * For replicas: the UUID that the revision has elsewhere. It is taken where it can follow the others (version 7 or 1, later
   * than the head's, of no time to come), else passed over.
   */
  readonly id?: string;
}
export interface UpdateOptions extends CommitOptions, Omit<QueryOptions, 'signal' | 'extraGraphs'> {}
export interface ImportOptions extends CommitOptions {
  /**
   * What becomes of the labels of blank nodes. `'scope'` (default) makes each label a new node of this stream, as `load` does with
   * the labels of a document: two documents may use the same label for different nodes. `'keep'` keeps the labels, for quads that
   * were read from this repository.
   */
  readonly blankNodes?: 'scope' | 'keep';
}
export interface TransactionOptions extends CommitOptions {
  /** How often a transaction that lost a race runs again. Default 0. */
  readonly retries?: number;
}
