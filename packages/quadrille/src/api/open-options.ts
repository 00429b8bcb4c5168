/** How a database is opened. */
import type { ExtensionAggregates, ExtensionFunctions } from '@quadrille/sparql';

export type Durability = 'disk' | 'process';
/** What keeps a store on disk (docs/backends.md). */
export type Backend = 'leveldb' | 'lmdb';
export interface OpenOptions {
  /** What keeps a store that is made. Default `'leveldb'`; a store that is there knows its own. Not in browsers. */
  readonly backend?: Backend;
  /**
   * Nothing is written, and writes are refused with `READ_ONLY`. In LMDB also beside a process that writes: what is seen is
   * the state of when it was opened. LevelDB needs the store for itself all the same. Default false.
   */
  readonly readOnly?: boolean;
  /** `'disk'` (default) acknowledges after fsync; `'process'` survives the death of the process, not of the machine. */
  readonly durability?: Durability;
  /** Memory for cached blocks and terms, below 2 GiB. Default 64 MiB. */
  readonly cacheBytes?: number;
  /**
   * Memory for what is kept of open repositories beside that cache: recent changes, recent terms. Where they take more, those
   * that nothing uses are unloaded, the least recently used first; the next call on one reads it again. The four that were
   * used last always stay. Default 128 MiB.
   */
  readonly repositoryBytes?: number;
  /** How long to wait until another process (in a browser: another tab) closes the store. Default 0. */
  readonly lockTimeoutMs?: number;
  /** Make the store where there is none. Default true. */
  readonly create?: boolean;
  readonly logger?: Logger;
  /** Lets SPARQL reach other hosts. Default: it reaches none. */
  readonly federation?: FederationOptions;
  /** Limits of queries and updates. */
  readonly queries?: QueryLimits;
  /**
   * Functions by IRI that queries and updates may call: `FILTER(<http://example.org/near>(?place, 10))`. They take and return
   * RDF/JS terms, or promises of them.
   */
  readonly functions?: ExtensionFunctions;
  /** Aggregates by IRI, for SELECT, HAVING and ORDER BY: `SELECT (<http://example.org/median>(?x) AS ?m)`. */
  readonly aggregates?: ExtensionAggregates;
}
/**
 * Limits of the queries and updates of a database. They do not hold for a {@link Database.begin task}, which whoever begins it limits.
 */
export interface QueryLimits {
  /**
   * How many run at once; the others wait. A query runs until its results are read to the end or left: code that begins a query while it
   * reads the results of another needs two places. Default: any number.
   */
  readonly concurrency?: number;
  /** How many may wait; more are refused with `QUERY_QUEUE_FULL`. Default 512. */
  readonly queued?: number;
  /** After this time one that waits is refused with `QUERY_QUEUE_FULL`. Milliseconds. Default 10 s. */
  readonly queueMs?: number;
  /** The `timeoutMs` of calls that have none. Default: any time. */
  readonly timeoutMs?: number;
  /** The `memoryBytes` of calls that have none. Default 256 MB, less with a small heap. */
  readonly memoryBytes?: number;
}
/**
 * What SERVICE and LOAD may reach: public addresses over http and https, on the ports of HTTP, within limits of time and bytes.
 */
export interface FederationOptions {
  /** Endpoints that SERVICE may ask, or beginnings of their IRIs by whole segments. Default none. */
  readonly service?: readonly string[];
  /** Whether LOAD may read documents. Default false. */
  readonly load?: boolean;
  /** Hosts (`db.intern`), hosts with ports (`localhost:3030`) and beginnings of URLs that may be reached although they are private. */
  readonly allow?: readonly string[];
  /** For one SERVICE call or one LOAD. Default 30 minutes. */
  readonly timeoutMs?: number;
}
export interface Logger {
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}
