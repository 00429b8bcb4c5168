/** Options of `open`. */
import type { ExtensionAggregates, ExtensionFunctions } from '@quadrille/sparql';

export type Durability = 'disk' | 'process';
/** Backends of stores on disk (docs/reference/backends.md). */
export type Backend = 'leveldb' | 'lmdb';
export interface OpenOptions {
  /** Backend of a new store. Default `'leveldb'`. An existing store has its own. Not in browsers. */
  readonly backend?: Backend | undefined;
  /**
   * Writes are refused with `READ_ONLY`. With LMDB another process may write at the same time; reads see the state at the time of
   * opening. With LevelDB no other process may use the store. Default false.
   */
  readonly readOnly?: boolean | undefined;
  /** `'disk'` (default) acknowledges after fsync; `'process'` survives the death of the process, not of the machine. */
  readonly durability?: Durability | undefined;
  /** Memory for cached blocks and terms, below 2 GiB. Default 64 MiB. */
  readonly cacheBytes?: number | undefined;
  /**
   * Memory for the state of open repositories besides that cache: recent changes and recent terms. Beyond it unused repositories
   * are unloaded, the least recently used first. The next call on one loads it again. The four most recently used ones
   * always stay. Default 128 MiB, at most a quarter of the heap.
   */
  readonly repositoryBytes?: number | undefined;
  /**
   * Threads that evaluate queries beside the main one. They take queries whose answer is a document (`serialize`), which
   * cost more than 20 ms by their plan, while a thread is idle. Each takes about 60 MB, and a share of half of `cacheBytes`.
   * Not in browsers, and not with storage in memory. Default 0.
   */
  readonly workers?: number | undefined;
  /** How long to wait until another process (in a browser: another tab) closes the store. Default 0. */
  readonly lockTimeoutMs?: number | undefined;
  /** Whether to create the store if there is none. Default true. */
  readonly create?: boolean | undefined;
  /**
   * Whether the first commit may upgrade a store of an earlier format. Earlier versions of Quadrille then refuse the store, and
   * this cannot be undone; the `logger` is warned before. With `false`, commits to such a store fail with `FORMAT_VERSION`.
   * Opening and reading never upgrade a store. Default true.
   */
  readonly upgrade?: boolean | undefined;
  readonly logger?: Logger | undefined;
  /** Hosts that SPARQL may reach. Default: none. */
  readonly federation?: FederationOptions | undefined;
  /** Limits of queries and updates. */
  readonly queries?: QueryLimits | undefined;
  /**
   * Functions by IRI that queries and updates may call: `FILTER(<http://example.org/near>(?place, 10))`. They take and return
   * RDF/JS terms, or promises of them.
   */
  readonly functions?: ExtensionFunctions | undefined;
  /** Aggregates by IRI, for SELECT, HAVING and ORDER BY: `SELECT (<http://example.org/median>(?x) AS ?m)`. */
  readonly aggregates?: ExtensionAggregates | undefined;
}
/**
 * Limits of the queries and updates of a database. They do not apply to a {@link Database.begin task}, whose caller sets its limits.
 */
export interface QueryLimits {
  /**
   * Number of queries and updates that run at the same time; further ones wait. A query runs until its results are read or closed, so
   * code that begins a query while it reads the results of another needs two places. Default: no limit.
   */
  readonly concurrency?: number | undefined;
  /** Number of waiting ones. Further ones are refused with `QUERY_QUEUE_FULL`. Default 512. */
  readonly queued?: number | undefined;
  /** Longest waiting time in milliseconds. After it a query is refused with `QUERY_QUEUE_FULL`. Default 10 s. */
  readonly queueMs?: number | undefined;
  /** Default of `timeoutMs` for calls without it. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Default of `memoryBytes` for calls without it. Default 256 MB, less with a small heap. */
  readonly memoryBytes?: number | undefined;
}
/**
 * Addresses that SERVICE and LOAD may reach: public ones over http and https, on the ports of HTTP, with limits of time and bytes.
 */
export interface FederationOptions {
  /** Endpoints that SERVICE may query, or prefixes of their IRIs by whole segments. Default: none. */
  readonly service?: readonly string[] | undefined;
  /** Whether LOAD may read documents. Default false. */
  readonly load?: boolean | undefined;
  /** Private hosts (`db.intern`), hosts with ports (`localhost:3030`) and prefixes of URLs that may be reached. */
  readonly allow?: readonly string[] | undefined;
  /** Time limit of one SERVICE call or one LOAD. Default 30 minutes. */
  readonly timeoutMs?: number | undefined;
}
export interface Logger {
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}
