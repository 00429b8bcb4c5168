/** Merges of branches. */
import type * as RDF from '@rdfjs/types';
import type { Conflict, DiffEntry, Revision } from '@quadrille/core';
import type { CommitOptions } from './commit.js';
import type { ReadOptions, Results } from './query.js';

/**
 * Options of `merge` and `cherryPick`.
 * @since 0.1.0
 */
export interface MergeOptions extends CommitOptions {
  /**
   * `'three-way'`: what the other branch has changed since both were one is changed here too. `'ours'` and `'theirs'`: the whole state
   * of one side.
   * @defaultValue `'three-way'`
   */
  readonly strategy?: 'three-way' | 'ours' | 'theirs' | undefined;
  /**
   * Whether revisions that follow the head of this branch are taken over as they are, with ids, times and numbers. Message and author are
   * not used then. If this branch has moved, or another commit comes first, there is a merge.
   * @defaultValue `false`: a merge is a revision
   */
  readonly fastForward?: boolean | undefined;
  /**
   * Decides conflicts: for one side, or by a function that returns a side, the base, or the values. A conflict for which it returns
   * `undefined` stays undecided, and the merge fails.
   * @defaultValue `'fail'`: `MERGE_CONFLICT` with `details.count` and the first 100 as `conflicts`: {@link MergeConflict}
   */
  readonly onConflict?:
    | 'fail'
    | 'ours'
    | 'theirs'
    | ((conflict: Conflict) => 'ours' | 'theirs' | 'base' | readonly RDF.Term[] | undefined)
    | undefined;
}

/**
 * What an error with the code `MERGE_CONFLICT` has, beside `details.count`.
 * @since 0.1.0
 */
export interface MergeConflict {
  /** The first 100 conflicts. */
  readonly conflicts: readonly Conflict[];
}

/**
 * What a merge would do.
 * @since 0.1.0
 */
export interface MergePreview {
  /** The newest revision that both branches have; if they were merged crosswise, one of several. */
  readonly base: Revision;
  /** Number of quads that it would add, without conflicts. */
  readonly added: number;
  /** Number of quads that it would remove, without conflicts. */
  readonly removed: number;
  /** Number of conflicts. */
  readonly conflictCount: number;
  /** The first 100 conflicts. */
  readonly conflicts: readonly Conflict[];
  /**
   * The changes that it would make, without those of conflicts.
   * @throws InvalidArgumentError `INVALID_OPTION`
   * @throws EvaluationError `ABORTED`
   */
  changes(options?: ReadOptions): Results<DiffEntry>;
}
