/** Branches of a repository: lines of history with names. */
import type { Ref, Revision } from '@quadrille/core';

/**
 * A branch.
 * @since 0.1.0
 */
export interface BranchInfo {
  /** Its name. */
  readonly name: string;
  /** Its newest revision. */
  readonly head: Revision;
  /** The revision with which it begins. Absent of `main`. */
  readonly fork?: Revision;
}

/**
 * Options of `branches.open`.
 * @since 0.1.0
 */
export interface OpenBranchOptions {
  /**
   * Whether to create the branch if there is none.
   * @defaultValue `false`
   */
  readonly create?: boolean | undefined;
  /**
   * Where a branch that is created begins.
   * @defaultValue the head of the branch that is asked
   */
  readonly from?: Ref | undefined;
}

/**
 * Options of `branches.delete`.
 * @since 0.1.0
 */
export interface DeleteBranchOptions {
  /**
   * Whether to delete it also if it has revisions that no other branch has.
   * @defaultValue `false`
   */
  readonly force?: boolean | undefined;
  /** The head that the branch has to have. */
  readonly ifRevision?: Ref | undefined;
}
