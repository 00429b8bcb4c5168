/** A repository. */
import type * as RDF from '@rdfjs/types';
import type { Ref, Revision, VerifyReport } from '@quadrille/core';
import type { CommitOptions, ImportOptions, PatchOptions, TransactionOptions, UpdateOptions } from './commit.js';
import type {
  Change,
  DiffEntry,
  ExportHistoryOptions,
  HistoryEvent,
  HistoryOptions,
  ImportHistoryOptions,
  LogOptions,
  WatchOptions,
} from './history.js';
import type { LoadOptions, LoadSource } from './load.js';
import type { Bindings, PrepareOptions, PreparedRequest } from './prepared.js';
import type { QuadPattern, ReadOptions, Results, Row, SparqlCall, SparqlText } from './query.js';
import type { ReadView } from './read-view.js';
import type { Metadata, Namespaces, RepositoryStats, SpaceReport, Tags } from './repository-parts.js';
import type { HeldTransaction, Transaction } from './transaction.js';

/** A named, versioned set of quads. */
export interface Repository extends ReadView, RDF.Store, AsyncDisposable {
  /** `account/repository`. */
  readonly name: string;
  load(source: LoadSource, options?: LoadOptions): Promise<Revision>;
  add(quads: RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>, options?: CommitOptions): Promise<Revision>;
  /** Removes quads or the matches of a pattern. With a stream this is the method of RDF/JS. */
  remove(quads: RDF.Quad | Iterable<RDF.Quad> | QuadPattern, options?: CommitOptions): Promise<Revision>;
  remove(stream: RDF.Stream<RDF.Quad>): ReturnType<RDF.Store['remove']>;
  /** Adds the quads of a stream as one revision. The emitter emits `end` or `error`. */
  import(stream: RDF.Stream<RDF.Quad>, options?: ImportOptions): ReturnType<RDF.Store['import']>;
  /**
   * Applies RDF Patch as one revision. Every row must have an effect: what is added must be absent, and what is deleted present,
   * counting the rows before it. Blocks that end with `TA` are dropped. Prefixes change after the commit, since they have no
   * revisions. The changes are held in memory until the commit.
   * @throws ConflictError `PATCH_CONFLICT` with `details.line`; ParseError `RDF_SYNTAX`; EvaluationError `UNSUPPORTED` for a patch
   * with `H id`. Nothing was changed. `REVISION_CONFLICT`: other commits changed the same predicates each time, or once for a stream.
   */
  patch(source: LoadSource, options?: PatchOptions): Promise<Revision>;
  readonly update: SparqlCall<Promise<Revision>, UpdateOptions>;
  /** Also accepts an update. */
  prepare<R extends object = Row, B extends object = Bindings>(
    text: SparqlText,
    options?: PrepareOptions,
  ): Promise<PreparedRequest<R, B>>;
  transaction(run: (transaction: Transaction) => Promise<void> | void, options?: TransactionOptions): Promise<Revision>;
  /** A transaction that stays open across calls. A concurrent commit makes its commit fail with `REVISION_CONFLICT`. */
  begin(): Promise<HeldTransaction>;
  /** Read access to the content of a revision. Writes through it fail with `READ_ONLY`. */
  at(ref: Ref): ReadView;
  log(options?: LogOptions): Results<Revision>;
  diff(from: Ref, to?: Ref, options?: ReadOptions): Results<DiffEntry>;
  /** Creates a revision that undoes the changes of another one, if they are still in effect. */
  revert(ref: Ref, options?: CommitOptions): Promise<Revision>;
  /** Restores the content of a revision in a new one. History is never rewritten. */
  reset(ref: Ref, options?: CommitOptions): Promise<Revision>;
  /** The additions and removals of the matching quads, sorted by quad and then by revision. */
  history(pattern?: QuadPattern, options?: HistoryOptions): Results<HistoryEvent>;
  /**
   * Follows the repository: yields each published, hence durable, revision after `since` once, in ascending order, without a gap, and waits
   * for the next one. It is a position in the log without a queue, so a slow consumer and one that does not ask cost nothing. To
   * resume, give the id of the last revision as `since`. It ends on `signal` and when the database is closed.
   * @throws NotFoundError `REVISION_NOT_FOUND` if there is no revision `since`, `REPOSITORY_DELETED` when the repository is deleted
   */
  watch(options?: WatchOptions): AsyncIterableIterator<Change, undefined>;
  /**
   * The history as the text of a file: RDF Patch, a transaction for each revision from the first one or after `from`, with ids, times,
   * authors and messages, then the namespaces and tags of the repository. A chain of SHA-256 values and the last rows show where a file
   * was edited or cut. Pieces are whole rows of about 64 Ki characters together. Later commits do not change the text. Its memory does
   * not depend on the length of the history; reading it takes about as long as a dump of all changes.
   * @throws NotFoundError `REVISION_NOT_FOUND`; InvalidArgumentError `INVALID_OPTION` if `from` is after `to`; EvaluationError `ABORTED`
   */
  exportHistory(options?: ExportHistoryOptions): Results<string>;
  /**
   * Appends the revisions of a history file, with ids, times, authors, messages, numbers and labels of blank nodes, and sets its
   * namespaces and tags. The repository is empty, or its head is the revision before the first one of the file, or it has some of the
   * file already: those are compared and skipped, so an import that has ended early goes on if it is made again. Many revisions share a
   * write. Its memory does not depend on the length of the file; a transaction of any size is written aside. The source may be gzipped.
   * Resolves with the head.
   * @throws CorruptionError `LOG_BROKEN` with `details.line` if the file is damaged, edited or cut, if it adds what is there, or deletes
   * what is not there; ConflictError `HISTORY_DIVERGED` if its revisions cannot follow those of the repository; EvaluationError
   * `ABORTED`; NotFoundError `INPUT_NOT_FOUND`. Whole transactions before the fault stay, nothing of the faulty one does.
   */
  importHistory(source: LoadSource, options?: ImportHistoryOptions): Promise<Revision>;
  readonly namespaces: Namespaces;
  /** The prefixes that queries need not declare: namespaces of the account and of the repository. Those of the repository take precedence. */
  prefixes(): Promise<Readonly<Record<string, string>>>;
  readonly tags: Tags;
  readonly metadata: Metadata;
  stats(): Promise<RepositoryStats>;
  verify(): Promise<VerifyReport>;
  /** Rebuilds the indexes from the log. */
  rebuild(): Promise<SpaceReport>;
  /** Merges runs, removes unused data and frees space. Never removes a revision. */
  compact(): Promise<SpaceReport>;
}
