/** A repository, and those of its parts that know other repositories. */
import type * as RDF from '@rdfjs/types';
import type { Ref, Revision } from '@quadrille/core';
import type { BranchInfo, DeleteBranchOptions, OpenBranchOptions } from './branches.js';
import type {
  AddOptions,
  ChangePreview,
  CommitOptions,
  DryRun,
  PatchOptions,
  TransactionOptions,
  UpdateOptions,
} from './commit.js';
import type {
  Change,
  DiffEntry,
  ExportHistoryOptions,
  HistoryEvent,
  HistoryOptions,
  ImportHistoryOptions,
  LiveOptions,
  LiveUpdate,
  LogOptions,
  WatchOptions,
} from './history.js';
import type { Proof } from './integrity.js';
import type { LoadedRevision, LoadOptions, LoadSource } from './load.js';
import type { Maintenance } from './maintenance.js';
import type { MergeOptions, MergePreview } from './merge.js';
import type { Bindings, PrepareOptions, PreparedRequest } from './prepared.js';
import type { QuadPattern, ReadOptions, Results, Row, SparqlCall, SparqlText } from './query.js';
import type { ReadView, RevisionView } from './read-view.js';
import type { PullOptions, Remotes, ReplicationOptions, ReplicationReport } from './replication.js';
import type { RepositoryNamespaces, Settings, Tags } from './repository-parts.js';
import type { Transaction } from './transaction.js';
import type { ShapesReport, ValidateOptions } from '../guard/validate-types.js';

/**
 * A named, versioned set of quads. Every write is one commit: it succeeds completely or has no effect, and returns its revision. A write that
 * changes nothing makes no revision and returns the head. Each call may also throw what {@link ReadView} names.
 * @throws StateError `STORE_NOT_OPEN` after `close()`
 * @throws NotFoundError `REPOSITORY_DELETED`
 * @throws StorageError `STORAGE_IO`
 * @throws CorruptionError `CHECKSUM`, `INDEX_DISAGREES`, `UNKNOWN_ID`, `LOG_BROKEN`
 * @since 0.1.0
 */
export interface Repository extends ReadView, AsyncDisposable {
  /** `account/repository`. */
  readonly name: string;
  /** The name of the branch that calls read and write: `main`, unless the repository was opened with {@link Branches.open}. */
  readonly branch: string;
  /**
   * Parses a document and adds its quads as one revision. Blank nodes become new nodes. Gzip is recognised. Memory does not depend on the
   * length of the document, and readers go on. An import of many documents is fastest with one load each.
   * @throws ParseError `RDF_SYNTAX` with `source`, `line` and `column`
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_TERM`, `INVALID_REF`
   * @throws LimitError `INPUT_TOO_LARGE`
   * @throws EvaluationError `ABORTED`, `UNSUPPORTED`
   * @throws ConflictError `REVISION_CONFLICT` if `ifRevision` is not the head
   * @throws NotFoundError `INPUT_NOT_FOUND` for a file; `REVISION_NOT_FOUND` for `ifRevision`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  load(source: LoadSource, options?: LoadOptions): Promise<LoadedRevision>;
  /**
   * What a load would add and remove now. It changes nothing, and takes as long as the load.
   * @throws ParseError `RDF_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`
   * @throws EvaluationError `ABORTED`
   * @throws ConflictError `REVISION_CONFLICT`
   * @throws NotFoundError `INPUT_NOT_FOUND`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  load(source: LoadSource, options: LoadOptions & DryRun): Promise<ChangePreview>;
  /**
   * Adds quads. Labels of blank nodes are kept, unless `blankNodes` says otherwise. Quads that are there already have no effect.
   * @throws InvalidArgumentError `INVALID_TERM`, `INVALID_OPTION`, `INVALID_REF`
   * @throws EvaluationError `ABORTED`
   * @throws ConflictError `REVISION_CONFLICT` if `ifRevision` is not the head
   * @throws NotFoundError `REVISION_NOT_FOUND` for `ifRevision`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  add(quads: RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>, options?: AddOptions): Promise<Revision>;
  /**
   * Removes quads or the matches of a pattern. Quads that are not there have no effect.
   * @throws InvalidArgumentError `INVALID_TERM`, `INVALID_PATTERN`, `INVALID_OPTION`, `INVALID_REF`
   * @throws EvaluationError `ABORTED`
   * @throws ConflictError `REVISION_CONFLICT` if `ifRevision` is not the head
   * @throws NotFoundError `REVISION_NOT_FOUND` for `ifRevision`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  remove(
    quads: RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad> | QuadPattern,
    options?: CommitOptions,
  ): Promise<Revision>;
  /**
   * Applies RDF Patch as one revision. A document with several patches, each with an `H id`, becomes one revision for each. A patch whose id
   * was applied before is passed over: the result is the revision that has applied it. Every row must have an effect: what is added must be absent, and what is deleted present,
   * counting the rows before it. Blocks that end with `TA` are dropped. Prefixes change after the commit, since they have no
   * revisions. The changes are held in memory until the commit.
   * @throws ConflictError `PATCH_CONFLICT` with `details.line`; `REVISION_CONFLICT` if `H prev` names an earlier revision than the
   *   head, or if other commits changed the same predicates each time, or once for a stream
   * @throws ParseError `RDF_SYNTAX`
   * @throws EvaluationError `UNSUPPORTED` for a prefix of a single graph; `ABORTED`, `QUERY_MEMORY`
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_TERM`, `INVALID_REF`
   * @throws NotFoundError `INPUT_NOT_FOUND`, `REVISION_NOT_FOUND`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  patch(source: LoadSource, options?: PatchOptions): Promise<Revision>;
  /**
   * Runs SPARQL Update as one revision. All operations of the text see one state, each after the changes of those before it. If a concurrent
   * commit changed what the update has read, it is evaluated again, nine times at most.
   * @returns the new revision, or the head if nothing changed
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`; `NOT_AN_UPDATE` for a query; `INVALID_TERM`, `INVALID_REF`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`
   * @throws FetchError `BLOCKED_ADDRESS` for a LOAD or SERVICE that is not allowed; `URL_NOT_ALLOWED`, `FETCH_FAILED`, `FETCH_TIMEOUT`,
   *   `FETCH_TOO_LARGE` of a LOAD
   * @throws ConflictError `REVISION_CONFLICT` if `ifRevision` is not the head, or commits were in the way each time
   * @throws NotFoundError `REVISION_NOT_FOUND`, `INPUT_NOT_FOUND`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  readonly update: {
    /** What an update would add and remove now. It changes nothing. */
    (text: SparqlText, options: UpdateOptions & DryRun): Promise<ChangePreview>;
  } & SparqlCall<Promise<Revision>, UpdateOptions>;
  /**
   * Parses a query or an update for repeated calls. See {@link ReadView.prepare}.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_TERM`
   * @throws EvaluationError `ABORTED`, `QUERY_TIMEOUT` by the task
   */
  prepare<R extends object = Row, B extends object = Bindings>(
    text: SparqlText,
    options?: PrepareOptions,
  ): Promise<PreparedRequest<R, B>>;
  /**
   * Runs a function on a {@link Transaction}, and commits its changes as one revision when it returns. If the function throws, everything is
   * dropped and the error is passed on. The changes are in memory until the commit.
   * @throws ConflictError `REVISION_CONFLICT` if a concurrent commit changed a predicate that the transaction has read, after all `retries`; or if
   *   `ifRevision` is not the head
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`
   * @throws EvaluationError `ABORTED`, `QUERY_MEMORY`
   * @throws NotFoundError `REVISION_NOT_FOUND` for `ifRevision`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  transaction(run: (transaction: Transaction) => Promise<void> | void, options?: TransactionOptions): Promise<Revision>;
  /**
   * Read access to the content of a revision. The ref is resolved by each call, so a tag is followed. Writes through it fail with `READ_ONLY`.
   * @throws InvalidArgumentError `INVALID_REF` from the calls of the view
   * @throws NotFoundError `REVISION_NOT_FOUND` from the calls of the view
   */
  at(ref: Ref): RevisionView;
  /**
   * Validates a revision against shapes, by default those of the settings, and changes nothing. The data are all graphs but that of the
   * shapes, taken as one graph. `report.results` has every result, unless there is a limit.
   * @throws ShapesError `SHAPES_INVALID`, `SHAPES_TIMEOUT`
   * @throws InvalidArgumentError `INVALID_OPTION`, also where there are no shapes; `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws EvaluationError `ABORTED`, `QUERY_MEMORY` where the results take more memory than a query may
   */
  validate(options?: ValidateOptions): Promise<ShapesReport>;
  /**
   * The revisions, the newest first. A lazy sequence, which reads records as the reader asks for them. With `pattern`, it reads the
   * changes of revisions.
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`, `INVALID_PATTERN`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws EvaluationError `ABORTED`
   */
  log(options?: LogOptions): Results<Revision>;
  /**
   * The difference between two revisions, sorted by quad in the order of an index. `to` may be the earlier one. A quad that was added and
   * removed in between does not appear. A lazy sequence. It reads only quads that match and that have come or gone between the two.
   * @param to the second revision; default the head
   * @param pattern the quads to compare; default all
   * @throws InvalidArgumentError `INVALID_PATTERN`, `INVALID_OPTION`, `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND`, `REVISION_TRIMMED`
   * @throws EvaluationError `ABORTED`
   */
  diff(from: Ref, to?: Ref, pattern?: QuadPattern, options?: ReadOptions): Results<DiffEntry>;
  /**
   * Creates a revision that undoes the changes of another one, as far as they are still in effect. History is never rewritten.
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`
   * @throws EvaluationError `ABORTED`
   * @throws ConflictError `REVISION_CONFLICT` if `ifRevision` is not the head
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  revert(ref: Ref, options?: CommitOptions): Promise<Revision>;
  /**
   * The additions and removals of the matching quads, sorted by quad and then by revision. A lazy sequence.
   * @throws InvalidArgumentError `INVALID_PATTERN`, `INVALID_OPTION`, `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws EvaluationError `ABORTED`
   */
  history(pattern?: QuadPattern, options?: HistoryOptions): Results<HistoryEvent>;
  /**
   * Follows the repository: yields each published, hence durable, revision after `since` once, in ascending order, without a gap, and waits
   * for the next one. It is a position in the log without a queue, so a slow consumer and one that does not ask cost nothing. To
   * resume, give the id of the last revision as `since`. It ends on `signal` and when the database is closed.
   * @throws NotFoundError `REVISION_NOT_FOUND` if there is no revision `since`, `REPOSITORY_DELETED` when the repository is deleted
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_PATTERN`, `INVALID_REF`
   */
  watch(options?: WatchOptions): AsyncIterableIterator<Change, undefined>;
  /**
   * Follows the answer of a SELECT: yields the whole answer first, then what each later revision changes in it. A revision that changes
   * nothing in it yields nothing. A slow consumer gets the changes of several revisions together. After a revision that changes no
   * predicate and graph of the query nothing runs. Else the update follows from the changed quads (`path: 'delta'`), as with
   * {@link answerDiff}; counts of solutions do too. Or the query runs again, and its last answer is held in memory
   * (`'rerun'`). It ends on `signal` and when the database is closed. To resume, give the id of the last revision as `since`.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`; for a text that is no SELECT; `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND` if there is no revision `since`; `REPOSITORY_DELETED` when the repository is deleted
   * @throws EvaluationError `QUERY_TIMEOUT`, `QUERY_MEMORY`
   */
  live(text: SparqlText, options?: LiveOptions): AsyncIterableIterator<LiveUpdate, undefined>;
  /** The branches: opened, made and merged. */
  readonly branches: Branches;
  /** The prefixes of this repository. */
  readonly namespaces: RepositoryNamespaces;
  /** Names for revisions. */
  readonly tags: Tags;
  /** The settings for commits, which the owner makes, and the description of the repository. */
  readonly settings: Settings;
  /** Exchange with other copies: pull, push, and files of the history. */
  readonly sync: Sync;
  /** Hashes of content and history, and signatures. */
  readonly proof: Proof;
  /** Figures, checks, and what makes the repository smaller. */
  readonly maintenance: Maintenance;
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
  /**
   * Restores the content of a revision of any branch in a new one. History is never rewritten. Costs as much as the difference to the head.
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`
   * @throws EvaluationError `ABORTED`
   * @throws ConflictError `REVISION_CONFLICT` if `ifRevision` is not the head, or commits were in the way each time
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  reset(ref: Ref, options?: CommitOptions): Promise<Revision>;
}

/**
 * Exchange of the history of a repository with other copies.
 * @throws StateError `STORE_NOT_OPEN`
 * @throws NotFoundError `REPOSITORY_DELETED`
 * @throws StorageError `STORAGE_IO`
 * @since 0.1.0
 */
export interface Sync {
  /** Addresses of other copies, by name. */
  readonly remotes: Remotes;
  /**
   * Appends the revisions that another copy has after our head, with their ids, times, authors and numbers. Labels of blank nodes
   * stay the same. Sets the namespaces and tags of the copy. An empty repository takes the whole history. A copy that is not
   * ahead changes nothing. After an error whole revisions before it stay, so the next pull goes on.
   * @param remote the name of a remote, the address of a repository at a server, or a repository of any database; default `origin`. At a
   *   server it is the branch of the same name; a repository is on the branch that it was taken from
   * @throws ConflictError `HISTORY_DIVERGED` if each copy has revisions of its own; `MERGE_CONFLICT` with `merge`
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_NAME`
   * @throws NotFoundError `REPOSITORY_NOT_FOUND`, `BRANCH_NOT_FOUND`
   * @throws AccessError `UNAUTHENTICATED`, `FORBIDDEN`
   * @throws FetchError `FETCH_FAILED` if the server cannot be reached, or breaks off
   * @throws CorruptionError `LOG_BROKEN` if what it sends is damaged, edited or cut
   * @throws EvaluationError `ABORTED`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   */
  pull(remote?: string | Repository, options?: PullOptions): Promise<ReplicationReport>;
  /**
   * Sends the revisions that we have after the head of another copy, as {@link pull} gets them. A copy that is not behind stays as it is.
   * @param remote the name of a remote, the address of a repository at a server, or a repository of any database; default `origin`
   * @throws ConflictError `HISTORY_DIVERGED` if the other copy has revisions of its own, or gets some meanwhile
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_NAME`
   * @throws NotFoundError `REPOSITORY_NOT_FOUND`, `BRANCH_NOT_FOUND`
   * @throws AccessError `UNAUTHENTICATED`, `FORBIDDEN`
   * @throws FetchError `FETCH_FAILED`
   * @throws EvaluationError `ABORTED`
   * @throws StorageError `STORAGE_FULL` if the other copy has no room
   */
  push(remote?: string | Repository, options?: ReplicationOptions): Promise<ReplicationReport>;
  /**
   * Returns the history as the text of a file in RDF Patch. Each revision from the first one or after `from` is a transaction
   * with its id, time, author and message. The namespaces and tags of the repository follow. A chain of SHA-256 values and the
   * last rows show where a file was edited or cut. Pieces are whole rows of about 64 Ki characters together. Later commits do not
   * change the text. Its memory does not depend on the length of the history; reading it takes about as long as a dump of all
   * changes.
   * @throws NotFoundError `REVISION_NOT_FOUND`; `REVISION_TRIMMED` if two branches have kept no revision that they share
   * @throws InvalidArgumentError `INVALID_OPTION`, also if `from` is after `to`, or with either of them for all branches; `INVALID_REF`
   * @throws EvaluationError `ABORTED`
   */
  exportHistory(options?: ExportHistoryOptions): Results<string>;
  /**
   * Appends the revisions of a history file, with ids, times, authors, messages, numbers and labels of blank nodes, and sets its
   * namespaces and tags. The repository is empty, or its head is the revision before the first one of the file, or it has some of the
   * file already: those are compared and skipped, so an import that has ended early goes on if it is made again. Many revisions share a
   * write. Its memory does not depend on the length of the file; a transaction of any size is written aside. The source may be gzipped.
   * Resolves with the head. After an error whole transactions before the fault stay, nothing of the faulty one does.
   * @throws CorruptionError `LOG_BROKEN` with `details.line` if the file is damaged, edited or cut, if it adds what is there, or deletes
   *   what is not there; `FORMAT_VERSION` with `upgrade: false`
   * @throws ConflictError `HISTORY_DIVERGED` if its revisions cannot follow those of the repository
   * @throws EvaluationError `ABORTED`
   * @throws ParseError `RDF_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`
   * @throws NotFoundError `INPUT_NOT_FOUND`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   */
  importHistory(source: LoadSource, options?: ImportHistoryOptions): Promise<Revision>;
}
