/** The part of the package `lmdb` that the driver uses, and how an environment is opened. */

import type { Bytes } from '@quadrille/storage';
import { open } from 'lmdb';

/** A read transaction: one state of the database until `done`. */
export interface LmdbTransaction {
  done(): void;
}

/** The transaction in which to read. Without one, reads see the newest state. */
export interface LmdbReadOptions {
  readonly transaction?: LmdbTransaction;
}

export interface LmdbRange extends LmdbReadOptions {
  start?: Bytes;
  end?: Bytes;
  /** With `reverse`, `start` is the upper bound. */
  reverse?: boolean;
  exclusiveStart?: boolean;
  inclusiveEnd?: boolean;
  limit?: number;
  values: boolean;
}

/** Page counts of a tree. */
export interface LmdbTreeStats {
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** Statistics of the tree with the data. `free` describes the tree of unused pages. */
export interface LmdbStats extends LmdbTreeStats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  readonly free: LmdbTreeStats;
}

export interface LmdbEnvironment {
  /** The next read overwrites the bytes: copy them at once. */
  getBinaryFast(key: Bytes, options: LmdbReadOptions): Bytes | undefined;
  getRange(range: LmdbRange): Iterable<{ readonly key: Bytes; readonly value: Bytes }>;
  getKeys(range: LmdbRange): Iterable<Bytes>;
  put(key: Bytes, value: Bytes): unknown;
  remove(key: Bytes): unknown;
  /** Commits the puts and removes of the action as one transaction, in another thread. */
  batch(action: () => void): Promise<boolean>;
  readonly flushed: PromiseLike<unknown>;
  useReadTransaction(): LmdbTransaction;
  getStats(): LmdbStats;
  close(): Promise<void>;
}

export interface EnvironmentOptions {
  readonly readOnly: boolean;
  readonly noSync: boolean;
}

/** Opens the environment in a directory. LMDB creates its files if there are none. The map grows with the data. */
export function openEnvironment(path: string, { readOnly, noSync }: EnvironmentOptions): LmdbEnvironment {
  return open({
    path,
    // Otherwise LMDB takes a path with a dot for a file.
    noSubdir: false,
    keyEncoding: 'binary',
    encoding: 'binary',
    readOnly,
    // A transaction is on the disk before any reader sees it. So a crash cannot damage what was read.
    overlappingSync: false,
    // Each batch is a transaction of its own. Otherwise a failed one also rejects a promise that the caller cannot
    // reach.
    eventTurnBatching: false,
    ...(noSync ? { noSync } : {}),
  }) as unknown as LmdbEnvironment;
}
