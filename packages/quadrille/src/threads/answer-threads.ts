/** The threads of a database as the library sees them: they take queries that cost much and whose answers are documents. */
import type { Snapshot } from '@quadrille/core';
import type { OfferedQuery, TakenQuery } from '@quadrille/sparql';
import type { StorageDriver, StorageEngine } from '@quadrille/storage';
import type { Logger, WorkerFigures } from '../api/index.js';

/** The document that a query is to become. */
export interface DocumentOrder {
  /** What is queried. It is open when the taken query begins. */
  readonly snapshot: Snapshot;
  readonly mediaType: string;
  /** Prefixes of the document. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** @throws StateError `STORE_NOT_OPEN`, NotFoundError `REPOSITORY_DELETED` */
  check(): void;
}

export interface AnswerThreads {
  /** Memory that is left for the block cache of this thread, in bytes. */
  readonly cacheBytes: number;
  readonly figures: WorkerFigures;
  /** Takes a query that is worth it, if a thread is idle. */
  take(query: OfferedQuery, order: DocumentOrder): TakenQuery | undefined;
  /** Ends all threads. Their queries fail with `STORE_NOT_OPEN`. */
  close(): Promise<void>;
}

export interface ThreadsOptions {
  /** Number of threads at most. */
  readonly workers: number;
  /** The open storage. */
  readonly engine: StorageEngine;
  readonly driver: StorageDriver;
  /** Memory of all block caches, in bytes. */
  readonly cacheBytes: number | undefined;
  readonly logger: Logger | undefined;
}
