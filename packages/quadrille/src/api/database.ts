/** A database: its repositories, accounts and figures. */
import type { VerifyReport } from '@quadrille/core';
import type { RunningQuery, Task, TaskOptions } from '@quadrille/sparql';
import type {
  BackgroundFailure,
  MetadataChange,
  Namespaces,
  RepositoryMetadata,
  SpaceReport,
} from './repository-parts.js';
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

/** What a server keeps in the store beside the repositories: JSON under text keys (at most 255 bytes), not versioned. */
export interface ServiceRecords {
  get(key: string): Promise<unknown>;
  /** All whose key begins with `prefix`, in the order of their keys. */
  list(prefix: string): Promise<ReadonlyMap<string, unknown>>;
  /** Makes all changes or none; a change without a value deletes. `durable` as in `OpenOptions.durability`. */
  write(
    changes: readonly { readonly key: string; readonly value?: unknown }[],
    options?: { readonly durable?: boolean },
  ): Promise<void>;
}

/** Figures since the database was opened, of the repositories that are open. */
export interface DatabaseMetrics {
  /** Those in memory. */
  readonly openRepositories: number;
  readonly commits: number;
  readonly runningQueries: number;
  /** Quads and removals that stand in memory, beside the log, until they are written as runs. */
  readonly memtableQuads: number;
  /** Sorted runs of all index orders. */
  readonly runs: number;
  readonly cacheBytes: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
  /** Flushes and merges that fail and are tried again, of the repositories in memory. */
  readonly backgroundFailures: readonly (BackgroundFailure & { readonly repository: string })[];
}

export interface Database extends AsyncDisposable {
  /** Where it is: the path, or the driver's name. */
  readonly location: string;
  /** `failed`: a write failed; until one succeeds that follows, there is only reading. */
  readonly state: 'open' | 'failed' | 'closed';
  /** `account/repository`, or `repository` in the account `default`. */
  repository(
    name: string,
    options?: { readonly create?: boolean; readonly metadata?: MetadataChange },
  ): Promise<Repository>;
  repositories(account?: string): Promise<readonly RepositoryInfo[]>;
  /** Gives its space back. False if there was none. */
  deleteRepository(name: string): Promise<boolean>;
  account(name: string): Account;
  readonly accounts: {
    list(): Promise<readonly string[]>;
    /** When it was made; `undefined` if there is none. */
    created(name: string): Promise<Date | undefined>;
    create(name: string): Promise<void>;
    /** Refused while it has repositories. */
    delete(name: string): Promise<boolean>;
  };
  /** For servers. */
  readonly records: ServiceRecords;
  /** The SPARQL queries and updates that run at present; `cancel()` ends one with `ABORTED`. A query runs while its results are read. */
  queries(): readonly RunningQuery[];
  /**
   * For servers: begins a request that takes several calls, such as `prepare`, `query` and reading the results. Give the task to each of
   * them: they share its deadline and its signal, and it stands in `queries()` until `task.end()`, which the caller must call. Its clock
   * does not run before `task.control.startClock()`.
   */
  begin(options: TaskOptions): Task | Promise<Task>;
  /** Costs nothing worth speaking of: to be asked every few seconds. */
  metrics(): DatabaseMetrics;
  verify(): Promise<VerifyReport>;
  /** Makes the indexes of a repository anew from its log, also where they are so damaged that it cannot be opened. */
  rebuild(name: string): Promise<SpaceReport>;
  close(): Promise<void>;
}
