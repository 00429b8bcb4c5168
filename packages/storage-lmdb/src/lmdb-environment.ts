/** What the driver uses of the package `lmdb`, by shape, and how it opens an environment. */

import type { Bytes } from '@quadrille/storage';
import { open } from 'lmdb';

/** A read transaction: one state of the database until `done`. */
export interface LmdbTransaction {
  done(): void;
}

/** Reads in this transaction; without one, in the newest state. */
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

/** How many pages a tree has. */
export interface LmdbTreeStats {
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** Of the tree of the data; `free` is the tree of pages that nobody uses. */
export interface LmdbStats extends LmdbTreeStats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  readonly free: LmdbTreeStats;
}

export interface LmdbEnvironment {
  /** The bytes are those of the next read as well: to be copied at once. */
  getBinaryFast(key: Bytes, options: LmdbReadOptions): Bytes | undefined;
  getRange(range: LmdbRange): Iterable<{ readonly key: Bytes; readonly value: Bytes }>;
  getKeys(range: LmdbRange): Iterable<Bytes>;
  put(key: Bytes, value: Bytes): unknown;
  remove(key: Bytes): unknown;
  /** What the action puts and removes becomes one transaction, which another thread commits. */
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

/** Opens the environment in a directory; LMDB makes its files where there are none. The map grows with the data. */
export function openEnvironment(path: string, { readOnly, noSync }: EnvironmentOptions): LmdbEnvironment {
  return open({
    path,
    // Else a path with a dot in it is taken for a file.
    noSubdir: false,
    keyEncoding: 'binary',
    encoding: 'binary',
    readOnly,
    // A transaction is on the disk before anybody sees it: nothing depends on how the machine went down.
    overlappingSync: false,
    // Each batch is a transaction of its own; otherwise a failed one also rejects a promise that nobody can have.
    eventTurnBatching: false,
    ...(noSync ? { noSync } : {}),
  }) as unknown as LmdbEnvironment;
}
