/** One state of a storage, which several reads show. */

import { StateError, type StorageError } from '@quadrille/model';
import type { DriverSnapshot, StorageDriver } from './contract.js';
import { MemoryDriver } from './memory-driver.js';
import type { Cursor, ReadsUnderWay } from './reads-under-way.js';

/** Options of a read. */
export interface ReadOptions {
  /** The state to read. Default: the present one. */
  readonly snapshot?: StorageSnapshot | undefined;
}

/** The present state of a driver. */
export function snapshotOf(driver: StorageDriver): DriverSnapshot {
  if (driver.snapshot !== undefined) return driver.snapshot();
  return driver.capabilities.readOnly === true ? stateOf(Promise.resolve(driver)) : stateOf(copyOf(driver));
}

/** Begins at once, so that later batches are not in it. */
async function copyOf(driver: StorageDriver): Promise<StorageDriver> {
  const copy = new MemoryDriver();
  for await (const chunk of driver.range({}, { read: 'entries' }))
    await copy.write(
      chunk.map((entry) => ({ type: 'put', ...entry })),
      { durable: false },
    );
  return copy;
}

function stateOf(opened: Promise<StorageDriver>): DriverSnapshot {
  // Reads report the error.
  opened.catch(() => undefined);
  return {
    get: async (key) => (await opened).get(key),
    getMany: async (keys) => (await opened).getMany(keys),
    async *range(range, options) {
      yield* (await opened).range(range, options);
    },
    close: () => Promise.resolve(),
  };
}

/**
 * One state of a {@link StorageEngine}: an argument of reads that belong together. Close it, because the storage keeps what the
 * state needs until then. A read that has begun goes on.
 */
export class StorageSnapshot implements Cursor {
  /** The error with which the storage has ended it. */
  ended: StorageError | undefined;
  readonly #state: DriverSnapshot;
  readonly #reads: ReadsUnderWay;
  #users = 1;
  #closed = false;

  constructor(state: DriverSnapshot, reads: ReadsUnderWay) {
    this.#state = state;
    this.#reads = reads;
    reads.begin(this);
  }

  /** Reads until {@link release}. @throws StateError `SNAPSHOT_CLOSED`; StorageError `STORAGE_IO` if the storage was reopened */
  acquire(): DriverSnapshot {
    if (this.ended !== undefined) throw this.ended;
    if (this.#closed)
      throw new StateError('SNAPSHOT_CLOSED', 'This snapshot of the storage was closed: take a new one.');
    this.#users++;
    return this.#state;
  }

  /** Ends what {@link acquire} has begun. */
  async release(): Promise<void> {
    if (--this.#users === 0) await this.#state.close();
  }

  /** Releases the state. Does nothing if it is closed. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#reads.end(this);
    await this.release();
  }
}
