/** Metadata and conditions of a commit. */
import type { Ref } from '@quadrille/core';
import type { QueryOptions } from './query.js';

/**
 * Options of every call that makes a revision.
 * @since 0.1.0
 */
export interface CommitOptions {
  /** Ends the call with `ABORTED` before the commit. A commit that has begun is completed. */
  readonly signal?: AbortSignal | undefined;
  /** Why the change was made. At most 16 KiB of UTF-8. */
  readonly message?: string | undefined;
  /** The author of the change. At most 1 KiB of UTF-8. */
  readonly author?: string | undefined;
  /** Commit only if this is still the head. Otherwise the commit fails with `REVISION_CONFLICT` and changes nothing. */
  readonly ifRevision?: Ref | undefined;
}
/**
 * What a change would do. With `dryRun: true` nothing is changed: terms and conditions are checked as for a commit.
 * @since 0.1.0
 */
export interface ChangePreview {
  /** Number of quads that it would add. */
  readonly added: number;
  /** Number of quads that it would remove. */
  readonly removed: number;
}
/**
 * Asks what a change would do, in place of making it.
 * @since 0.1.0
 */
export interface DryRun {
  /** The result is a {@link ChangePreview}. */
  readonly dryRun: true;
}
/**
 * Options of SPARQL Update: those of a commit and those of a query.
 * @since 0.1.0
 */
export interface UpdateOptions extends CommitOptions, Omit<QueryOptions, 'signal' | 'extraGraphs'> {}
/**
 * Options of `add`.
 * @since 0.1.0
 */
export interface AddOptions extends CommitOptions {
  /**
   * Treatment of blank node labels. `'keep'` keeps the labels, for quads that were read from this repository. `'scope'` makes each label
   * a new node of this call, as `load` does for documents: two documents may use the same label for different nodes.
   * @defaultValue `'keep'`
   */
  readonly blankNodes?: 'keep' | 'scope' | undefined;
}
/**
 * Options of `patch`.
 * @since 0.1.0
 */
export interface PatchOptions extends CommitOptions {
  /**
   * Named in errors.
   * @defaultValue the path of the source, if it has one
   */
  readonly sourceName?: string | undefined;
}
/**
 * Options of `transaction`.
 * @since 0.1.0
 */
export interface TransactionOptions extends CommitOptions {
  /**
   * Number of retries after a conflict with a concurrent commit: the function runs again on the new head. None with `ifRevision`.
   * @defaultValue `0`
   */
  readonly retries?: number | undefined;
}
