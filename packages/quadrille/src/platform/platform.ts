/**
 * What differs between Node.js and browsers. `#platform` is node.ts, or browser.ts under the condition `browser` of
 * bundlers (`imports` in package.json): everything else in this package runs in both.
 */
import type { EventEmitter } from 'node:events';
import type { GuardedFetch } from '@quadrille/fetch';
import type { AsyncParserOptions, AsyncRdfParser, ByteTransform, RdfFormat } from '@quadrille/formats';
import type { Damage, StorageDriver } from '@quadrille/storage';
import type { MemoryLimits } from '@quadrille/sparql';
import type * as RDF from '@rdfjs/types';
import type {
  Database,
  FederationOptions,
  GarbageReport,
  JoinOptions,
  OpenOptions,
  StoreMember,
} from '../api/index.js';
import type { LineThread } from '../integrity/line-hash.js';
import type { OpenSource } from '../load/source.js';
import type { BatchSource, ResultEnds } from '../read/results.js';
import type { PublishedParts } from '../publish/open-published.js';
import type { AnswerThreads, ThreadsOptions } from '../threads/answer-threads.js';

/** The directories of a recovery. */
export interface RecoveryPlaces {
  /** Undefined: the default beside the damaged store. */
  readonly target: string | undefined;
  readonly inPlace: boolean;
  readonly lockTimeoutMs: number;
}

/** A running recovery. It holds the lock of the damaged store until `finish` or `abandon`. */
export interface Recovery {
  /** The damaged store, not open yet. It is only read. */
  readonly source: StorageDriver;
  /** The damages found so far. It grows while the source is opened and read. */
  readonly damages: readonly Damage[];
  /** Creates the new, empty store under a temporary name. */
  target(): Promise<StorageDriver>;
  /** Gives the new store its name. Call it after both stores were closed. */
  finish(): Promise<{ readonly location: string; readonly damaged: string }>;
  /** Deletes the new store. Call it after both stores were closed. */
  abandon(): Promise<void>;
}

/** Opens a store in this process. */
type OpenOwn = (options: OpenOptions) => Promise<Database>;

export interface Platform {
  /** The path that a URL means. @throws InvalidArgumentError `INVALID_OPTION` where it means none */
  pathOf(location: URL): string;
  /** Whether several processes can use the store at a location at the same time. */
  isSharedStore(location: string): boolean;
  /** The location for messages and reports, without a password. */
  nameOf(location: string): string;
  /** @throws InvalidArgumentError `INVALID_OPTION` for options that this location, or the platform, does not have */
  checkStorage(location: unknown, options: OpenOptions): void;
  /** Opens the store at a path, or of a name, or makes one. */
  openStorage(location: string, options: OpenOptions): Promise<StorageDriver>;
  /** Holds the store in a directory for all processes, or joins the one that does. Missing where there are no processes. */
  openShared?(location: string, options: OpenOptions, openOwn: OpenOwn): Promise<Database>;
  /** Joins the process that holds the store, if it shares it. @throws the error of the lock where it does not */
  joinShared?(location: string, options: OpenOptions, openOwn: OpenOwn, locked: unknown): Promise<Database>;
  /** @throws InvalidArgumentError `INVALID_OPTION` for other stores, and where there are none that servers share */
  joinStore(url: string, options: JoinOptions): Promise<StoreMember>;
  /** @throws InvalidArgumentError `INVALID_OPTION` for other stores, and where there are none that servers share */
  collectGarbage(url: string, olderThanMs: number): Promise<GarbageReport>;
  /** Locks a damaged store. @throws InvalidArgumentError `INVALID_OPTION` if the platform has no directories */
  beginRecovery(location: string, places: RecoveryPlaces): Promise<Recovery>;
  /** The functions for backups. @throws InvalidArgumentError `INVALID_OPTION` if the platform has no directories */
  backups(): Promise<typeof import('../backup/index.js')>;
  /** How it reads published stores. */
  readonly publishedParts: PublishedParts;
  /** What publishes stores. @throws InvalidArgumentError `INVALID_OPTION` if the platform has no directories */
  publisher(): Promise<typeof import('../publish/publish-store.js')>;
  /** @throws NotFoundError `INPUT_NOT_FOUND`; InvalidArgumentError `INVALID_OPTION` where there are no files */
  openFile(location: string | URL): Promise<OpenSource>;
  /** Returns the function that opens a parser in a thread, or `undefined` if the format has no thread. */
  parseInThread(format: RdfFormat): Promise<((options: AsyncParserOptions) => AsyncRdfParser) | undefined>;
  /** Threads for queries. Missing where there are none; undefined where none are asked for, or their file is missing. */
  openThreads?(location: unknown, options: ThreadsOptions): Promise<AnswerThreads | undefined>;
  /** A thread that hashes lines. Missing where there are none; undefined where it would not help. */
  openHashThread?(): Promise<LineThread | undefined>;
  /** Decompresses gzip. `undefined` if the standard stream is fastest. */
  gunzipStream(): Promise<(() => ByteTransform) | undefined>;
  /** @throws InvalidArgumentError `INVALID_OPTION` where other hosts cannot be reached under these rules */
  createFetch(rules: Pick<FederationOptions, 'mode' | 'allow'>): Promise<GuardedFetch>;
  /**
   * A stream of single items. Its source is opened by the first read and closed with the stream; `ends.unread` is called where
   * it is destroyed before that.
   */
  streamOf<T>(open: () => BatchSource<T>, ends: ResultEnds): RDF.ResultStream<T>;
  createEmitter(): EventEmitter;
  /** The memory that all queries of the process may use; undefined where nothing is known of it. */
  memoryLimits(): MemoryLimits | undefined;
  /** The shares of the heap for transactions, cached terms and repositories. `undefined` if its size is unknown. */
  readonly heapShares?: HeapShares;
}

/** Estimated bytes that these may take of the heap. */
export interface HeapShares {
  /** The changes of all open transactions of the process. */
  readonly transactionBytes: number;
  /** The cached terms of one repository. */
  readonly termCacheBytes: number;
  /** All repositories in memory, where the option does not say. */
  readonly repositoryBytes: number;
}
