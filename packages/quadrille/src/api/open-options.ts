/** How a database is opened. */

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
