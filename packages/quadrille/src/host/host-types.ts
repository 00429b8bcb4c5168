/** Types of the entry `quadrille/host`: what programs need that run requests of others, such as servers. */
import type { Ref, Revision } from '@quadrille/core';
import type { Task, TaskOptions as EngineTaskOptions } from '@quadrille/sparql';
import type { CommitOptions, PatchOptions, UpdateOptions } from '../api/commit.js';
import type { ImportHistoryOptions, LiveOptions } from '../api/history.js';
import type { LoadOptions } from '../api/load.js';
import type { PreparedRequest, PrepareOptions } from '../api/prepared.js';
import type { QueryOptions, Results, SparqlText } from '../api/query.js';
import type { Repository } from '../api/repository.js';
import type { Transaction } from '../api/transaction.js';

export type { Task } from '@quadrille/sparql';

/**
 * A change of the {@link ServiceRecords}.
 * @since 0.1.0
 */
export interface RecordChange {
  /** At most 255 bytes of UTF-8. */
  readonly key: string;
  /** A JSON value of at most 64 KB. A change without a value deletes the record. */
  readonly value?: unknown;
}
/**
 * Records of a server in the store: unversioned JSON values under text keys of at most 255 bytes.
 * @throws StateError `STORE_NOT_OPEN`
 * @throws StorageError `STORAGE_IO`
 * @since 0.1.0
 */
export interface ServiceRecords {
  /** The record of a key; `undefined` if there is none. */
  get(key: string): Promise<unknown>;
  /** The records whose keys begin with `prefix`, in the order of their keys. */
  list(prefix: string): Promise<ReadonlyMap<string, unknown>>;
  /**
   * Applies all changes or none. A change without a value deletes the record.
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   */
  write(changes: readonly RecordChange[], options?: RecordOptions): Promise<void>;
}
/**
 * Options of {@link ServiceRecords.write}.
 * @since 0.1.0
 */
export interface RecordOptions {
  /**
   * Whether the call waits until the changes are on the disk.
   * @defaultValue whether the store was opened with `durability: 'disk'`
   */
  readonly durable?: boolean | undefined;
}
/**
 * Memory of queries and updates in bytes. All databases of a process share it, except what one query may use. It follows from the
 * memory of the process and from its heap when the first query comes.
 * @since 0.1.0
 */
export interface QueryMemory {
  /** The memory of one query whose call sets no limit: `memoryBytes` of `open`, or a share of the total. */
  readonly queryBytes: number;
  /** The memory for the columns of all queries. */
  readonly columnBytes: number;
  /** The memory for the values of all queries: texts, numbers, new terms. */
  readonly valueBytes: number;
  /** The memory that all queries use now. */
  readonly takenBytes: number;
}
/**
 * What a {@link HostedDatabase.begin task} is begun with.
 * @since 0.1.0
 */
export interface TaskOptions extends EngineTaskOptions {
  /**
   * Opens the repositories that `SERVICE`, `FROM` and `USING` name by `repo:account/name`, for who sent the request. It throws where
   * the sender may not read the repository, with the same error as where there is none. Without it such requests are refused with
   * `UNSUPPORTED`: a task does not have the rights of the database.
   */
  readonly repositories?: ((name: string) => Promise<Repository>) | undefined;
}
/**
 * Options of {@link HostedDatabase.refresh}. Without any, everything that was committed before the call is there afterwards.
 * @since 0.1.0
 */
export interface RefreshOptions {
  /**
   * Looks at the store only if the last look is older, in milliseconds.
   * @defaultValue `0`
   */
  readonly maxAgeMs?: number | undefined;
  /** Looks at the store only if this revision is not known. */
  readonly atLeast?:
    | {
        /** `account/repository`. */
        readonly repository: string;
        /** The revision that must be there. */
        readonly revision: Ref;
      }
    | undefined;
}
/**
 * A transaction that its holder must end. Until then it holds a snapshot. Closing the database rolls it back.
 * @since 0.1.0
 */
export interface HeldTransaction extends Transaction, AsyncDisposable {
  /** Estimated memory of the staged changes, in bytes. */
  readonly memoryBytes: number;
  /**
   * Commits all changes as one revision. Ends the transaction even if the commit fails.
   * @returns the new revision, or the head if nothing changed
   * @throws ConflictError `REVISION_CONFLICT` if another commit changed a predicate that the transaction has read, or `ifRevision` is
   *   not the head
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws EvaluationError `ABORTED`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_IO`, `STORAGE_FULL`, `STORAGE_LIMIT`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  commit(options?: HostCommitOptions): Promise<Revision>;
  /** Drops all changes. Does nothing after the end. */
  rollback(): Promise<void>;
}
/**
 * What a call takes that belongs to a request of several calls.
 * @since 0.1.0
 */
export interface OfTask {
  /** The request to which the call belongs. Its signal and its deadline replace those of the call. */
  readonly task?: Task | undefined;
}
/**
 * Options of queries for hosts. Every call that takes the options of queries takes these.
 * @since 0.1.0
 */
export interface HostQueryOptions extends QueryOptions, OfTask {}
/**
 * Options of `prepare` for hosts.
 * @since 0.1.0
 */
export interface HostPrepareOptions extends PrepareOptions, OfTask {}
/**
 * What a commit takes from hosts.
 * @since 0.1.0
 */
export interface OfCommit {
  /**
   * For replicas: the UUID of the revision at its origin. It is used if its version is 7 or 1 and its time is later than that of the
   * head and not in the future; otherwise it is ignored.
   */
  readonly id?: string | undefined;
  /**
   * {@link ServiceRecords} that are written in one batch with the revision. Not called where the commit makes no revision.
   * It may be called again for a commit that is tried again.
   */
  readonly records?: ((revision: Revision) => readonly RecordChange[]) | undefined;
}
/**
 * Options of commits for hosts. Every call that makes a revision takes these.
 * @since 0.1.0
 */
export interface HostCommitOptions extends CommitOptions, OfCommit {}
/**
 * Options of `patch` for hosts.
 * @since 0.1.0
 */
export interface HostPatchOptions extends PatchOptions, OfCommit {}
/**
 * Options of `load` for hosts.
 * @since 0.1.0
 */
export interface HostLoadOptions extends LoadOptions, OfCommit {}
/**
 * Options of SPARQL Update for hosts.
 * @since 0.1.0
 */
export interface HostUpdateOptions extends UpdateOptions, OfCommit, OfTask {}
/**
 * Options of `live` for hosts.
 * @since 0.1.0
 */
export interface HostLiveOptions extends LiveOptions, OfTask {
  /**
   * Makes an evaluation, for a program that limits how many run at a time. It calls `run` once, with options such as the `task` of a
   * request, and returns what that returns.
   * @defaultValue evaluations run at once
   */
  readonly evaluate?: (<T>(run: (options?: HostQueryOptions) => Promise<T>) => Promise<T>) | undefined;
}
/**
 * Options of `sync.importHistory` for hosts.
 * @since 0.1.0
 */
export interface HostImportOptions extends ImportHistoryOptions {
  /**
   * Called before revisions of another branch than `main` are appended, which a file of all branches has. An error that it throws ends
   * the import.
   */
  readonly onBranch?: ((name: string) => Promise<void> | void) | undefined;
}

/**
 * What a repository, or a view of a revision, gives to hosts.
 * @since 0.1.0
 */
export interface HostedView {
  /**
   * The answer of a query as a document: `serialize` of {@link PreparedRequest}, of a query that another view may have prepared.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`, `NOT_A_QUERY`, also for a format that does not fit the kind of query; `INVALID_TERM`
   * @throws EvaluationError `UNSUPPORTED`, `UNKNOWN_FUNCTION`, `SERVICE_FAILED`, `QUERY_TIMEOUT`, `QUERY_QUEUE_FULL`, `ABORTED`,
   *   `QUERY_MEMORY`, `RESULT_TOO_LARGE`, `THREAD_FAILED`
   * @throws FetchError `BLOCKED_ADDRESS`
   */
  serialize(text: SparqlText, mediaType: string, options?: HostQueryOptions): Results<string>;
}
/**
 * What a repository gives to hosts.
 * @since 0.1.0
 */
export interface HostedRepository extends HostedView {
  /**
   * Begins a transaction that stays open across calls, until its holder ends it.
   * @throws StateError `STORE_NOT_OPEN`
   */
  begin(): Promise<HeldTransaction>;
  /**
   * {@link Repository.prepare} as a part of a request.
   * @throws ParseError `SPARQL_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_TERM`
   * @throws EvaluationError `ABORTED`, `QUERY_TIMEOUT` by the task
   */
  prepare(text: SparqlText, options?: HostPrepareOptions): Promise<PreparedRequest>;
}

/**
 * What a database gives to hosts.
 * @throws StateError `STORE_NOT_OPEN` after `close()`
 * @since 0.1.0
 */
export interface HostedDatabase {
  /** Records that a host keeps beside the repositories. A server has some of its own, such as those whose keys begin with `job/`. */
  readonly records: ServiceRecords;
  /**
   * Begins a request of several calls, such as `prepare`, `query` and reading the results. Pass the task to each call. The
   * calls share its deadline and its signal, and `queries()` lists it until `task.end()`, which the caller must call. Its clock starts
   * with `task.control.startClock()`.
   */
  begin(options: TaskOptions): Task | Promise<Task>;
  /** The memory of queries. Loads the engine of queries if no query has come yet. */
  queryMemory(): Promise<QueryMemory>;
  /**
   * Shows what other processes have written, if the store is shared and was opened with `follow`. The process that writes makes
   * sure that no other one has taken its place. Of other stores it does nothing.
   * @throws StorageError `STALE_READ` if the revision of `atLeast` is not in the store, `STORE_UNAVAILABLE`, `LEASE_LOST`,
   *   `HISTORY_LOST`, `SNAPSHOT_EXPIRED`
   * @throws InvalidArgumentError `INVALID_OPTION`
   */
  refresh(options?: RefreshOptions): Promise<void>;
  /** How often {@link refresh} has shown something new. What was read before may be old if it has grown. */
  readonly refreshes: number;
}
