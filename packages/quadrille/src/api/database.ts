/** A database: its repositories, accounts and figures. */
import type { VerifyReport } from '@quadrille/core';
import type { RunningQuery, Task, TaskOptions as EngineTaskOptions } from '@quadrille/sparql';
import type {
  BackgroundFailure,
  MetadataChange,
  Namespaces,
  RepositoryMetadata,
  SpaceReport,
} from './repository-parts.js';
import type { BackupOptions, BackupReport } from './backup.js';
import type { Repository } from './repository.js';

export interface Account {
  readonly name: string;
  readonly namespaces: Namespaces;
}
export interface RepositoryInfo {
  /** `account/repository`. */
  readonly name: string;
  readonly metadata: RepositoryMetadata;
}

/** Records of a server in the store: unversioned JSON values under text keys of at most 255 bytes. */
export interface ServiceRecords {
  get(key: string): Promise<unknown>;
  /** The records whose keys begin with `prefix`, in the order of their keys. */
  list(prefix: string): Promise<ReadonlyMap<string, unknown>>;
  /** Applies all changes or none. A change without a value deletes the record. `durable` is as in `OpenOptions.durability`. */
  write(
    changes: readonly { readonly key: string; readonly value?: unknown }[],
    options?: { readonly durable?: boolean | undefined },
  ): Promise<void>;
}

/** Threads that evaluate queries. All numbers are 0 without `workers`. */
export interface WorkerFigures {
  /** `workers` of `open`. */
  readonly limit: number;
  /** Threads that run. They start when the first queries need them. */
  readonly started: number;
  readonly idle: number;
  /** Threads that evaluate a query. */
  readonly busy: number;
  /** Queries that threads have taken. */
  readonly queries: number;
  /** Threads that were started in place of one that had failed. */
  readonly restarts: number;
}

/**
 * Memory of queries and updates in bytes. All databases of a process share it, except what one query may use. It follows from the
 * memory of the process and from its heap when the first query comes.
 */
export interface QueryMemory {
  /** What one query may use where its call does not say: `memoryBytes` of `open`, or a part of the rest. */
  readonly queryBytes: number;
  /** What the columns of all queries may use. */
  readonly columnBytes: number;
  /** What the values of all queries may use: texts, numbers, new terms. */
  readonly valueBytes: number;
  /** What all queries use now. */
  readonly takenBytes: number;
}

/** Figures since the database was opened, of the repositories that are open. */
export interface DatabaseMetrics {
  /** Number of repositories in memory. */
  readonly openRepositories: number;
  readonly commits: number;
  readonly runningQueries: number;
  /** Number of quads and removals that are in the log and in memory, and not yet written as runs. */
  readonly memtableQuads: number;
  /** Number of sorted runs of all index orders. */
  readonly runs: number;
  readonly cacheBytes: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
  readonly workers: WorkerFigures;
  /** Failing flushes and merges of the repositories in memory. They are retried. */
  readonly backgroundFailures: readonly (BackgroundFailure & { readonly repository: string })[];
}

/** What a {@link Database.begin task} is begun with. */
export interface TaskOptions extends EngineTaskOptions {
  /**
   * Opens the repositories that `SERVICE`, `FROM` and `USING` name by `repo:account/name`, for who sent the request. It throws where
   * the sender may not read the repository, with the same error as where there is none. Without it such requests are refused with
   * `UNSUPPORTED`: a task does not have the rights of the database.
   */
  readonly repositories?: ((name: string) => Promise<Repository>) | undefined;
}

export interface Database extends AsyncDisposable {
  /** The path of the store, or the name of its driver. */
  readonly location: string;
  /** `failed` after a failed write. Only reads succeed until a later write does. */
  readonly state: 'open' | 'failed' | 'closed';
  /** `account/repository`, or `repository` in the account `default`. */
  repository(
    name: string,
    options?: { readonly create?: boolean | undefined; readonly metadata?: MetadataChange | undefined },
  ): Promise<Repository>;
  repositories(account?: string): Promise<readonly RepositoryInfo[]>;
  /** Deletes a repository and frees its space. False if there was none. */
  deleteRepository(name: string): Promise<boolean>;
  account(name: string): Account;
  readonly accounts: {
    list(): Promise<readonly string[]>;
    /** Time of its creation. `undefined` if there is none. */
    created(name: string): Promise<Date | undefined>;
    create(name: string): Promise<void>;
    /** Refused while it has repositories. */
    delete(name: string): Promise<boolean>;
  };
  /** For servers. */
  readonly records: ServiceRecords;
  /** The running SPARQL queries and updates. `cancel()` ends one with `ABORTED`. A query runs until its results are read. */
  queries(): readonly RunningQuery[];
  /**
   * For servers: begins a request of several calls, such as `prepare`, `query` and reading the results. Pass the task to each call. The
   * calls share its deadline and its signal, and `queries()` lists it until `task.end()`, which the caller must call. Its clock starts
   * with `task.control.startClock()`.
   */
  begin(options: TaskOptions): Task | Promise<Task>;
  /** Cheap enough to be polled every few seconds. */
  metrics(): DatabaseMetrics;
  /** Loads the engine of queries if no query has come yet. */
  queryMemory(): Promise<QueryMemory>;
  verify(): Promise<VerifyReport>;
  /** Rebuilds the indexes of a repository from its log, even if they are so damaged that it cannot be opened. */
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
   *   a later state, `STORE_LOCKED` if another backup is being written there, `STORE_NOT_OPEN`; CorruptionError `BACKUP_DAMAGED`,
   *   `CHECKSUM`; StorageError `STORAGE_FULL`, `STORAGE_IO`; EvaluationError `ABORTED`; InvalidArgumentError `INVALID_OPTION`
   */
  backup(target: string | URL | WritableStream<Uint8Array>, options?: BackupOptions): Promise<BackupReport>;
  close(): Promise<void>;
}
