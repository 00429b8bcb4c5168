/** A database: its repositories, accounts and figures. */
import type { Ref, VerifyReport } from '@quadrille/core';
import type { SharedFigures } from '@quadrille/storage';
import type { RunningQuery } from '@quadrille/sparql';
import type {
  BackgroundFailure,
  MetadataChange,
  Namespaces,
  RepositoryMetadata,
  SpaceReport,
} from './repository-parts.js';
import type { BackupOptions, BackupReport } from './backup.js';
import type { Results } from './query.js';
import type { PullOptions } from './replication.js';
import type { Repository } from './repository.js';

/**
 * An account: the first part of the names of repositories.
 * @since 0.1.0
 */
export interface Account {
  /** Its name. */
  readonly name: string;
  /** The prefixes that queries on all its repositories know. */
  readonly namespaces: Namespaces;
}
/**
 * A repository in a list.
 * @since 0.1.0
 */
export interface RepositoryInfo {
  /** `account/repository`. */
  readonly name: string;
  /** The metadata of the repository. */
  readonly metadata: RepositoryMetadata;
}

/**
 * Threads that evaluate queries. All numbers are 0 without `workers`.
 * @since 0.1.0
 */
export interface WorkerFigures {
  /** `workers` of `open`. */
  readonly limit: number;
  /** Threads that run. They start when the first queries need them. */
  readonly started: number;
  /** Threads that wait for a query. */
  readonly idle: number;
  /** Threads that evaluate a query. */
  readonly busy: number;
  /** Queries that threads have taken. */
  readonly queries: number;
  /** Threads that were started in place of one that had failed. */
  readonly restarts: number;
}

/**
 * A failure of background work, and the repository in which it occurs.
 * @since 0.1.0
 */
export interface RepositoryFailure extends BackgroundFailure {
  /** `account/repository`; `undefined` for work of the whole store. */
  readonly repository?: string | undefined;
}

/**
 * Figures since the database was opened, of the repositories that are open.
 * @since 0.1.0
 */
export interface DatabaseMetrics {
  /** Number of repositories in memory. */
  readonly openRepositories: number;
  /** Number of revisions that were made since the database was opened. */
  readonly commits: number;
  /** Number of queries and updates that run or wait. */
  readonly runningQueries: number;
  /** Number of quads and removals that are in the log and in memory, and not yet written as runs. */
  readonly memtableQuads: number;
  /** Number of sorted runs of all index orders. */
  readonly runs: number;
  /** Size of the block cache in bytes. */
  readonly cacheBytes: number;
  /** Number of blocks that were found in the cache. */
  readonly cacheHits: number;
  /** Number of blocks that were read from the storage. */
  readonly cacheMisses: number;
  /** Threads for queries. */
  readonly workers: WorkerFigures;
  /** Failing flushes and merges of the repositories in memory, and failing collections of the storage. They are retried. */
  readonly backgroundFailures: readonly RepositoryFailure[];
  /** Use of a store that several processes share; `undefined` for other stores. */
  readonly shared: SharedFigures | undefined;
}

/**
 * Options of {@link Database.repository}.
 * @since 0.1.0
 */
export interface RepositoryOptions {
  /**
   * Whether to create the repository, and its account, if there is none.
   * @defaultValue `false`
   */
  readonly create?: boolean | undefined;
  /**
   * The branch that calls read and write. It must be there.
   * @defaultValue `'main'`
   */
  readonly branch?: string | undefined;
  /** Metadata of a repository that is created. An existing one keeps its own. */
  readonly metadata?: MetadataChange | undefined;
}

/**
 * The accounts of a database.
 * @throws StateError `STORE_NOT_OPEN`
 * @throws StorageError `STORAGE_IO`
 * @since 0.1.0
 */
export interface Accounts {
  /** The names of all accounts, sorted. */
  list(): Results<string>;
  /**
   * Time of its creation. `undefined` if there is none.
   * @throws InvalidArgumentError `INVALID_NAME`
   */
  created(name: string): Promise<Date | undefined>;
  /**
   * Creates an account with the default prefixes.
   * @param name 1 to 100 of `a` to `z`, digits, `_` and `-`
   * @throws InvalidArgumentError `INVALID_NAME`
   * @throws ConflictError `ALREADY_EXISTS`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  create(name: string): Promise<void>;
  /**
   * Deletes an account without repositories. False if there was none.
   * @throws InvalidArgumentError `INVALID_NAME`
   * @throws ConflictError `PRECONDITION_FAILED` while it has repositories
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  delete(name: string): Promise<boolean>;
}

/**
 * Options of `fork`.
 * @since 0.1.0
 */
export interface ForkOptions {
  /**
   * The revision with which `main` of the copy ends.
   * @defaultValue the head
   */
  readonly at?: Ref | undefined;
  /** Aborts the call: nothing of the copy stays. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Options of {@link Database.deleteRepository}.
 * @since 0.1.0
 */
export interface DeleteRepositoryOptions {
  /** The head that `main` has to have. */
  readonly ifRevision?: Ref | undefined;
}

/**
 * An open store: its repositories, accounts and figures. `close()` frees it, as does `await using`.
 * @throws StateError `STORE_NOT_OPEN` after `close()`
 * @throws StorageError `STORAGE_IO`
 * @throws CorruptionError `CHECKSUM`, `LOG_BROKEN`
 * @since 0.1.0
 */
export interface Database extends AsyncDisposable {
  /** The path of the store, or the name of its driver. */
  readonly location: string;
  /** `failed` after a failed write: only reads succeed until the storage takes writes again. */
  readonly state: 'open' | 'failed' | 'closed';
  /** Of a store that processes share: whether this one holds it, or asks the one that does. `undefined` for other stores. */
  readonly role?: 'holder' | 'guest' | undefined;
  /**
   * Opens a repository. Equal names give the same object while it is held. A repository needs no closing.
   * @param name `account/repository`, or `repository` in the account `default`
   * @throws NotFoundError `REPOSITORY_NOT_FOUND` without `create`; `BRANCH_NOT_FOUND`
   * @throws InvalidArgumentError `INVALID_NAME`, `INVALID_OPTION`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  repository(name: string, options?: RepositoryOptions): Promise<Repository>;
  /**
   * The repositories, or those of one account, sorted by name. Opens none of them. An account that does not exist has none.
   */
  repositories(account?: string): Results<RepositoryInfo>;
  /**
   * Makes a repository with the whole history of another one: the same revisions, ids, times and numbers. From a server, the remote
   * `origin` is set. If it ends early, what has arrived stays, and `sync.pull` goes on; without a revision nothing stays.
   * @param name of the new repository
   * @param source the address of a repository at a server, or a repository of any database
   * @throws ConflictError `ALREADY_EXISTS` if there is a repository of that name
   * @throws InvalidArgumentError `INVALID_NAME`, `INVALID_OPTION`
   * @throws NotFoundError `REPOSITORY_NOT_FOUND`
   * @throws AccessError `UNAUTHENTICATED`, `FORBIDDEN`
   * @throws FetchError `FETCH_FAILED`
   * @throws CorruptionError `LOG_BROKEN`
   * @throws EvaluationError `ABORTED`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   */
  clone(name: string, source: string | Repository, options?: PullOptions): Promise<Repository>;
  /**
   * Copies a repository of this store under another name, with all its revisions, branches, tags, prefixes and settings. Ids, times and
   * numbers stay. Nothing is shared with the source, so it costs as much space; a branch costs none. Readers and writers of the source
   * go on. A crash leaves no part of the copy.
   * @param options `at`: a revision with which `main` of the copy ends; branches that begin after it are left out
   * @throws ConflictError `ALREADY_EXISTS` if there is a repository of this name
   * @throws NotFoundError `REPOSITORY_NOT_FOUND`, `REVISION_NOT_FOUND`
   * @throws InvalidArgumentError `INVALID_NAME`, `INVALID_OPTION`, `INVALID_REF`
   * @throws EvaluationError `ABORTED`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   * @throws CorruptionError `CHECKSUM`; `FORMAT_VERSION` with `upgrade: false`
   */
  fork(source: string, target: string, options?: ForkOptions): Promise<Repository>;
  /**
   * Deletes a repository and frees its space. False if there was none. Its readers fail with `REPOSITORY_DELETED`. This cannot be undone.
   * @throws InvalidArgumentError `INVALID_NAME`, `INVALID_OPTION`, `INVALID_REF` with `ifRevision`
   * @throws ConflictError `REVISION_CONFLICT` if `ifRevision` is not the head of `main`
   * @throws NotFoundError `REPOSITORY_NOT_FOUND`, `REVISION_NOT_FOUND` with `ifRevision`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  deleteRepository(name: string, options?: DeleteRepositoryOptions): Promise<boolean>;
  /**
   * An account, which need not exist yet. Reads nothing.
   * @throws InvalidArgumentError `INVALID_NAME`
   */
  account(name: string): Account;
  /** The accounts. */
  readonly accounts: Accounts;
  /** The running SPARQL queries and updates. `cancel()` ends one with `ABORTED`. A query runs until its results are read. */
  queries(): readonly RunningQuery[];
  /** Cheap enough to be polled every few seconds. */
  metrics(): DatabaseMetrics;
  /** Checks all repositories while they are in use. It reads all data once for each index. Damage is in the report, and no error. */
  verify(): Promise<VerifyReport>;
  /**
   * Rebuilds the indexes of a repository from its log, even if they are so damaged that it cannot be opened.
   * @throws NotFoundError `REPOSITORY_NOT_FOUND`
   * @throws InvalidArgumentError `INVALID_NAME`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  rebuild(name: string): Promise<SpaceReport>;
  /**
   * Writes a backup of the present state of the whole store: all repositories with their revisions, accounts, prefixes, tags and the
   * records of a server. Readers and writers go on. A directory gets a full backup first, and later only what it does not have yet; it
   * holds one backup, which {@link restore} can set back to any revision. The backup before stays valid until the new one is complete;
   * an interrupted backup is continued by the next one. A stream gets a tar archive of a full backup; it is closed at the end, or
   * aborted. Until then, the storage keeps what it would otherwise free. The store gets a record of each backup, so that a copy of it
   * cannot continue the backup. In a browser there are no backups.
   *
   * @throws StateError `NOT_A_BACKUP` if the directory has other content, `BACKUP_MISMATCH` if it has a backup of another store or of
   *   a later state, `STORE_LOCKED` if another backup is being written there, `STORE_NOT_OPEN`
   * @throws CorruptionError `BACKUP_DAMAGED`, `CHECKSUM`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_IO`
   * @throws EvaluationError `ABORTED`
   * @throws InvalidArgumentError `INVALID_OPTION`
   */
  backup(target: string | URL | WritableStream<Uint8Array>, options?: BackupOptions): Promise<BackupReport>;
  /**
   * Closes the store: waits for running commits, rolls held transactions back, and lets other processes open it. Later calls, and results that
   * are being read, fail with `STORE_NOT_OPEN`. Calling it again is possible.
   */
  close(): Promise<void>;
}
