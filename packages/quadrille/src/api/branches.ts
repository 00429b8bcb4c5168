/** Branches of a repository: lines of history with names. */
import type { Ref, Revision } from '@quadrille/core';
import type { Results } from './query.js';
import type { MergeOptions, MergePreview } from './merge.js';
import type { Repository } from './repository.js';

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

/**
 * The branches of a repository. Every repository has the branch `main`. A branch begins with a revision of another one and goes on alone:
 * its revisions have numbers of their own after that. Creating one takes the same time whatever the size of the repository.
 * @throws StateError `STORE_NOT_OPEN`
 * @throws NotFoundError `REPOSITORY_DELETED`
 * @throws StorageError `STORAGE_IO`
 * @since 0.1.0
 */
export interface Branches {
  /** All branches, by their names. Reads the heads of all. */
  list(): Results<BranchInfo>;
  /** A branch; `undefined` if there is none. */
  get(name: string): Promise<BranchInfo | undefined>;
  /**
   * The repository on another branch: the whole interface, which reads and writes that branch. Namespaces, metadata and tags are those
   * of the repository. A branch takes memory only while it is used.
   * @throws NotFoundError `BRANCH_NOT_FOUND` without `create`; `REVISION_NOT_FOUND` for `from`
   * @throws InvalidArgumentError `INVALID_NAME`, `INVALID_OPTION`, `INVALID_REF`
   * @throws ConflictError `ALREADY_EXISTS` if a tag has the name
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  open(name: string, options?: OpenBranchOptions): Promise<Repository>;
  /**
   * Creates a branch.
   * @param name 1 to 100 letters, digits, `_`, `.`, `-` and `/`; no form of a ref, such as a number or `HEAD`; not `remote/…`
   * @param options `from`: where it begins; default the head of the branch that is asked
   * @throws InvalidArgumentError `INVALID_NAME`, `INVALID_OPTION`, `INVALID_REF`
   * @throws ConflictError `ALREADY_EXISTS` if there is a branch or a tag of this name
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  create(name: string, options?: { readonly from?: Ref | undefined }): Promise<BranchInfo>;
  /**
   * Gives a branch another name. What was opened of it stays open.
   * @throws NotFoundError `BRANCH_NOT_FOUND`
   * @throws InvalidArgumentError `INVALID_NAME`
   * @throws ConflictError `ALREADY_EXISTS`; `BRANCH_DEFAULT` for `main` and for `settings.defaultBranch`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  rename(name: string, to: string): Promise<void>;
  /**
   * Deletes a branch. True if it was there. Its revisions stay while another branch begins on them, or a tag names one of them;
   * `compact()` removes the others. Writes to what was opened of it fail with `BRANCH_NOT_FOUND`, as `watch` does after its last revision.
   * @throws NotFoundError `REVISION_NOT_FOUND` for `ifRevision`
   * @throws ConflictError `REVISION_CONFLICT` if `ifRevision` is not its head; `BRANCH_NOT_MERGED` without `force`; `BRANCH_DEFAULT` for `main` and for `settings.defaultBranch`
   * @throws InvalidArgumentError `INVALID_OPTION`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  delete(name: string, options?: DeleteBranchOptions): Promise<boolean>;
  /**
   * Merges a revision of another branch as one revision with two parents, also if no quad changes. Returns the head if its history has
   * the revision already. What both branches have changed is compared with their common base; it costs as much as the changes since
   * then, which are held in memory. A merge that loses to another commit is made anew, nine times at most.
   * With `dryRun` it changes nothing, and tells what it would do now.
   * @param source usually the name of a branch
   * @throws ConflictError `MERGE_CONFLICT` with `details.count`; `REVISION_CONFLICT` if `ifRevision` is not the head, or commits were in
   *   the way each time
   * @throws InvalidArgumentError `INVALID_OPTION`, also for the branch itself; `INVALID_REF`, `INVALID_TERM` of a decision
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws EvaluationError `ABORTED`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  merge(source: Ref, options?: MergeOptions & { readonly dryRun?: false | undefined }): Promise<Revision>;
  /**
   * What a merge would do now. It changes nothing.
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   */
  merge(source: Ref, options: MergeOptions & { readonly dryRun: true }): Promise<MergePreview>;
  /**
   * Repeats the changes of a revision of any branch as one revision, with its message. Its `origin` is that revision. Returns the head
   * if they change nothing.
   * @throws ConflictError `MERGE_CONFLICT`; `REVISION_CONFLICT` if `ifRevision` is not the head
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws EvaluationError `ABORTED`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  cherryPick(ref: Ref, options?: Omit<MergeOptions, 'strategy' | 'fastForward'>): Promise<Revision>;
}
