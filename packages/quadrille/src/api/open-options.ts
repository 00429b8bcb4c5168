/** Options of `open`. */
import type { ExtensionAggregates, ExtensionFunctions } from '@quadrille/sparql';
import type { Signer } from './integrity.js';
import type { JsonLdContexts } from './load.js';

/**
 * When a commit is acknowledged. `'disk'`: when it is on the disk, after fsync. `'process'`: when the operating system has it. It survives the
 * death of the process then, but not that of the machine.
 * @since 0.1.0
 */
export type Durability = 'disk' | 'process';
/**
 * Backends of stores on disk. `'lmdb'` needs the package `@quadrille/lmdb`.
 * @since 0.1.0
 */
export type Backend = 'leveldb' | 'lmdb';
/**
 * A cache of a shared store on the local disk.
 * @since 0.1.0
 */
export interface DiskCacheOptions {
  /** A folder of its own, which is made if it is not there. No two processes may use the same one. */
  readonly directory: string;
  /**
   * Its largest size in bytes, from 8 MiB.
   * @defaultValue 1 GiB
   */
  readonly bytes?: number | undefined;
}

/**
 * Options of {@link open}.
 * @since 0.1.0
 */
export interface OpenOptions {
  /**
   * Backend of a new store. An existing store has its own. Not in browsers.
   * @defaultValue `'leveldb'`
   */
  readonly backend?: Backend | undefined;
  /**
   * Writes are refused with `READ_ONLY`. With LMDB another process may write at the same time; reads see the state at the time of
   * opening. With LevelDB no other process may use the store.
   * @defaultValue `false`
   */
  readonly readOnly?: boolean | undefined;
  /**
   * Of a database by its URL: reads only, and shows what other processes write: within a second, and at once after
   * `refresh` of `quadrille/host`. Snapshots and results that are being read keep their revision.
   * @defaultValue `false`
   */
  readonly follow?: boolean | undefined;
  /**
   * Of a store in a directory: all processes of the machine use it at the same time. The first one holds it, and the others ask that
   * one over a local socket. When it ends, another one takes over. With `false` this process joins none. Not in browsers.
   * @defaultValue a store that another process shares is joined, and not shared otherwise
   */
  readonly share?: boolean | undefined;
  /**
   * Of a published store: how many bytes a query may fetch. Beyond it, the query ends with `FETCH_TOO_LARGE`. Bytes that opening reads
   * do not count. Queries that run at the same time count together.
   * @defaultValue 64 MB
   */
  readonly maxBytes?: number | undefined;
  /**
   * Of a published store: most requests at once.
   * @defaultValue `6`
   */
  readonly concurrency?: number | undefined;
  /**
   * When commits are acknowledged.
   * @defaultValue `'disk'`
   */
  readonly durability?: Durability | undefined;
  /**
   * Memory for cached blocks and terms in bytes, from 1 to 2^31 - 1.
   * @defaultValue 64 MiB
   */
  readonly cacheBytes?: number | undefined;
  /**
   * Of a shared store by its URL: keeps blocks that were read on the local disk, so that they are not fetched again, also by a
   * later process. Each one is checked by its hash.
   * @defaultValue none
   */
  readonly diskCache?: DiskCacheOptions | undefined;
  /**
   * Memory for the state of open repositories besides that cache, in bytes: recent changes and recent terms. Beyond it unused repositories
   * are unloaded, the least recently used first. The next call on one loads it again. The four most recently used ones
   * always stay.
   * @defaultValue 128 MiB, at most a quarter of the heap
   */
  readonly repositoryBytes?: number | undefined;
  /**
   * Number of threads that evaluate queries beside the main one, from 0 to 64. They take queries whose answer is a document (`serialize`), which
   * cost more than 20 ms by their plan, while a thread is idle. Each takes about 60 MB, and a share of half of `cacheBytes`.
   * Not in browsers, and not with storage in memory.
   * @defaultValue `0`
   */
  readonly workers?: number | undefined;
  /**
   * How long to wait until another process (in a browser: another tab) closes the store, in milliseconds, from 0 to 2^31 - 1.
   * @defaultValue `0`
   */
  readonly lockTimeoutMs?: number | undefined;
  /**
   * Whether to create the store if there is none. Otherwise `open` fails with `STORE_NOT_FOUND`.
   * @defaultValue `true`, and `false` with `readOnly`
   */
  readonly create?: boolean | undefined;
  /**
   * Whether the first commit may upgrade a store of an earlier format. Earlier versions of Quadrille then refuse the store, and
   * this cannot be undone; the `logger` is warned before. With `false`, commits to such a store fail with `FORMAT_VERSION`.
   * Opening and reading never upgrade a store.
   * @defaultValue `true`
   */
  readonly upgrade?: boolean | undefined;
  /**
   * Receives warnings, such as that of an upgrade.
   * @defaultValue none
   */
  readonly logger?: Logger | undefined;
  /**
   * Hosts that SPARQL may reach.
   * @defaultValue none
   */
  readonly federation?: FederationOptions | undefined;
  /**
   * Contexts of JSON-LD by their addresses, for all loads and for LOAD: JSON, or the path of a file that has it.
   * @defaultValue none
   */
  readonly contexts?: JsonLdContexts | undefined;
  /** Limits of queries and updates. */
  readonly queries?: QueryLimits | undefined;
  /**
   * Functions by IRI that queries and updates may call: `FILTER(<http://example.org/near>(?place, 10))`. They take and return
   * RDF/JS terms, or promises of them.
   */
  readonly functions?: ExtensionFunctions | undefined;
  /** Aggregates by IRI, for SELECT, HAVING and ORDER BY: `SELECT (<http://example.org/median>(?x) AS ?m)`. */
  readonly aggregates?: ExtensionAggregates | undefined;
  /**
   * Signs each revision after its commit: a private Ed25519 key as PEM (PKCS#8), or what signs. Commits do not wait for it; `close()`
   * waits until all are signed. The `logger` is told of failures.
   * @defaultValue none
   */
  readonly signer?: string | Signer | undefined;
  /**
   * Makes vectors of texts, for names of the setting `vectors` that have `embed`. It is called after commits, with some texts at once. It gives
   * a vector for each, or `undefined` for a text that is not to be found. The `logger` is told of failures, and the texts come again.
   * @defaultValue none
   */
  readonly embed?: EmbedFunction | undefined;
}
/**
 * A model that makes vectors of texts.
 * @since 0.1.0
 */
export type EmbedFunction = (
  texts: readonly string[],
  call: EmbedCall,
) => Promise<readonly (ArrayLike<number> | undefined)[]> | readonly (ArrayLike<number> | undefined)[];
/**
 * Which vectors are wanted of an {@link EmbedFunction}.
 * @since 0.1.0
 */
export interface EmbedCall {
  /** The repository that has the texts: `account/name`. */
  readonly repository: string;
  /** The name of the vectors in the settings. */
  readonly name: string;
  /** How many numbers each vector has. */
  readonly dimension: number;
}
/**
 * Limits of the queries and updates of a database. They do not apply to a task of `quadrille/host`, whose caller sets its limits.
 * @since 0.1.0
 */
export interface QueryLimits {
  /**
   * Number of queries and updates that run at the same time; further ones wait. A query runs until its results are read or
   * closed. Code that begins a query while it reads the results of another needs two places.
   * @defaultValue no limit
   */
  readonly concurrency?: number | undefined;
  /**
   * Number of waiting ones. Further ones are refused with `QUERY_QUEUE_FULL`.
   * @defaultValue `512`
   */
  readonly queued?: number | undefined;
  /**
   * Longest waiting time in milliseconds. After it a query is refused with `QUERY_QUEUE_FULL`.
   * @defaultValue `10000`
   */
  readonly queueMs?: number | undefined;
  /**
   * `timeoutMs` of calls without it, in milliseconds.
   * @defaultValue no limit
   */
  readonly timeoutMs?: number | undefined;
  /**
   * `memoryBytes` of calls without it, in bytes.
   * @defaultValue 256 MB, less with a small heap
   */
  readonly memoryBytes?: number | undefined;
}
/**
 * Addresses that SERVICE and LOAD may reach: public ones over http and https, on the ports of HTTP, with limits of time and bytes.
 * @since 0.1.0
 */
export interface FederationOptions {
  /**
   * Endpoints that SERVICE may query, or prefixes of their IRIs by whole segments. `'*'` is every one that `mode` and `allow` let through.
   * @defaultValue none
   */
  readonly service?: readonly string[] | undefined;
  /**
   * Whether LOAD may read documents.
   * @defaultValue `false`
   */
  readonly load?: boolean | undefined;
  /**
   * `off`: no host is reached. `listed`: only what `allow` lists. `public`: public addresses, and what `allow` lists. `all`: every address.
   * Not in browsers.
   * @defaultValue `'public'`
   */
  readonly mode?: 'off' | 'listed' | 'public' | 'all' | undefined;
  /**
   * Private hosts (`db.intern`), hosts with ports (`localhost:3030`) and prefixes of URLs that may be reached.
   * @defaultValue none
   */
  readonly allow?: readonly string[] | undefined;
  /**
   * Time limit of one SERVICE call or one LOAD, in milliseconds, from 1 to 2^31 - 1.
   * @defaultValue 30 minutes
   */
  readonly timeoutMs?: number | undefined;
}
/**
 * Receives messages of an open database. `console` is one. `details` has the same information for programs.
 * @since 0.1.0
 */
export interface Logger {
  /** Something that an operator may want to know. */
  info(message: string, details?: object): void;
  /** Something that an operator should know. */
  warn(message: string, details?: object): void;
  /** Something that failed. */
  error(message: string, details?: object): void;
}
