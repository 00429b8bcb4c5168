/**
 * The storage contract: an ordered key-value store with binary keys. A backend implements a {@link StorageDriver},
 * which is small and may trust its input. All other code uses the {@link StorageEngine} around it (engine.ts). The
 * engine checks state and limits, adds a checksum to every value, and refuses further writes after an I/O error.
 */

import type { JobFailure } from './background-failures.js';

/** Keys and values. Keys are ordered as unsigned bytes; a prefix comes before longer keys. */
export type Bytes = Uint8Array;

/** Longest key that every backend accepts, in bytes. The shortest key has one byte. */
export const MAX_KEY_BYTES = 256;
/** Longest value that callers may write, in bytes, without the checksum envelope. */
export const MAX_VALUE_BYTES = 64 * 1024;

/** A range of keys: `gte <= key < lt`. Missing bounds are open. */
export interface KeyRange {
  /** The first key; absent: from the beginning. */
  readonly gte?: Bytes;
  /** The key behind the last one; absent: to the end. */
  readonly lt?: Bytes;
  /** Whether to read from the last key to the first. Default false. */
  readonly reverse?: boolean;
  /** Largest number of entries. Default: no limit. */
  readonly limit?: number;
  /**
   * Of which keys the values are wanted. The driver may leave out the values of others, which are then empty. It may
   * call this several times for a key. Default: of all keys.
   */
  readonly wants?: (key: Bytes) => boolean;
}

/** Options of a read of a range. */
export interface RangeOptions {
  /** The parts of entries to read. Default `'entries'`. The other part is empty in the result. */
  readonly read?: 'keys' | 'values' | 'entries';
}

/** A key with its value. */
export interface Entry {
  /** The key. */
  readonly key: Bytes;
  /** Its value. */
  readonly value: Bytes;
}

/** One operation of a batch. A later one takes effect after those before it. */
export type WriteOp =
  | {
      /** Writes a value. */
      readonly type: 'put';
      /** The key, 1 to 256 bytes. */
      readonly key: Bytes;
      /** The value, at most 64 KiB. */
      readonly value: Bytes;
      /**
       * Whether the value will stay when other values of its batch are deleted. A driver may store such values
       * separately. Default false.
       */
      readonly lasting?: boolean;
    }
  | {
      /** Deletes a key, if it is there. */
      readonly type: 'delete';
      /** The key, 1 to 256 bytes. */
      readonly key: Bytes;
    }
  /** Deletes every key with `gte <= key < lt`, including those that earlier operations of the batch put. */
  | {
      /** Deletes all keys of a range. */
      readonly type: 'deleteRange';
      /** The first key. */
      readonly gte: Bytes;
      /** The key behind the last one. */
      readonly lt: Bytes;
    };

/** Options of a batch. */
export interface WriteOptions {
  /**
   * Whether to resolve only after the batch is on disk (fsync). Otherwise it survives the death of the process, but
   * perhaps no power loss.
   */
  readonly durable: boolean;
  /** Compare-and-set: applies the batch only if `key` has this value now (`undefined`: is absent). */
  readonly precondition?: {
    /** The key that is compared. */
    readonly key: Bytes;
    /** The value that it must have; `undefined`: it must be absent. */
    readonly value: Bytes | undefined;
  };
  /**
   * Whether the batch frees space. Then it may use the space that is reserved for such batches, and is accepted while
   * other batches are refused because the medium is full. Default: true if the batch only deletes.
   */
  readonly frees?: boolean;
}

/**
 * - `ok`: the batch was applied.
 * - `conflict`: the precondition did not hold; nothing was applied.
 * - `full`: the medium has no room; nothing was applied, partial data are removed, and the next batch may be tried.
 * - `unknown`: the batch may have been applied or not; read to find out.
 */
export type WriteOutcome = 'ok' | 'conflict' | 'full' | 'unknown';

/** The optional abilities of a driver. */
export interface StorageCapabilities {
  /** Whether `getSync` exists. */
  readonly getSync: boolean;
  /** Whether `durable: true` reaches the disk. False for memory. */
  readonly durable: boolean;
  /** Whether `approximateSize` measures bytes on disk. Otherwise it adds up the lengths of keys and values. */
  readonly sizeOnDisk: boolean;
  /** Whether `compact` frees space. */
  readonly compact: boolean;
  /**
   * Whether a value given to `write` may be a view of a larger array at no cost. The driver must not use the memory
   * after `write` has resolved, because it is reused. Default false.
   */
  readonly partsOfArrays?: boolean;
  /**
   * Whether the driver is open for reading only: `write` is never called. It shows one state of the store, until
   * `refresh` shows it another one. Default false.
   */
  readonly readOnly?: boolean;
  /**
   * Whether each write is a round trip to a service. Then a write waits for a turn of the event loop, so that the commits which
   * arrive meanwhile share it. Default false.
   */
  readonly remote?: boolean;
}

/** A key, or a range of keys, that another process has changed. */
export interface ChangedKeys {
  /** The key; of a range the first one. */
  readonly gte: Bytes;
  /** The key behind a range; absent: the key alone. */
  readonly lt?: Bytes;
}

/** One state of a storage, whatever is written meanwhile. The driver keeps what it needs until it is closed. */
export interface DriverSnapshot extends Pick<StorageDriver, 'get' | 'getMany' | 'range'> {
  /** Releases the state, after all reads of it have ended. */
  close(): Promise<void>;
}

/** What other processes have written to a storage that follows them, and the driver does not show yet. */
export interface Refresh {
  /** What changed; `undefined`: any key may have changed. */
  readonly changed: readonly ChangedKeys[] | undefined;
  /** A driver that shows the new state and never another one. It is open, and reads only. */
  view(): StorageDriver;
  /** From then on all reads of the driver itself show the new state. */
  show(): void;
}

/** Identity of a store and version of its form, where they are stored outside of the keys. */
export interface StoreMark {
  /** UUID of the store, which never changes. */
  readonly id: string;
  /** Version of the form of all stored data, from 1. */
  readonly format: number;
}

/**
 * Figures of a process's use of a store that several processes share. Sums are since the process has joined the store.
 * @since 0.1.0
 */
export interface SharedFigures {
  /** Entries that were appended to the log, and attempts. */
  readonly appends: number;
  /** How long they took, in seconds. */
  readonly appendSeconds: number;
  /** Their bytes. */
  readonly appendBytes: number;
  /** Questions what is new. */
  readonly checks: number;
  /** How long they took, in seconds. */
  readonly checkSeconds: number;
  /** Calls of the service of all kinds. */
  readonly roundTrips: number;
  /** Appends of which the service did not say at once whether they were done. */
  readonly unknownOutcomes: number;
  /** How often this process has taken the store over. */
  readonly takeOvers: number;
  /** Bytes of packs that were read from the service. */
  readonly readBytes: number;
  /** Bytes of packs that were written to it. */
  readonly writtenBytes: number;
  /** Values that were found on the local disk. */
  readonly cacheHits: number;
  /** Values that were not found there. */
  readonly cacheMisses: number;
  /** Bytes in use on the local disk. */
  readonly cacheBytes: number;
  /** The last position of the log that this process knows. */
  readonly position: number;
  /** For how long this process has not heard whether there is something new, in seconds. */
  readonly lagSeconds: number;
}

/** The pauses that a driver can get while it writes its files anew. They must be short: all repositories of the store wait. */
export interface PurgePauses {
  /** Runs a function while no write is under way. */
  withoutWrites<T>(work: () => Promise<T>): Promise<T>;
  /** Runs a function while neither a read nor a write is under way. */
  alone(work: () => Promise<void>): Promise<void>;
  /** Aborted when the storage is closed or reopened. Then the driver gives up with the signal's reason. */
  readonly signal: AbortSignal;
}

/**
 * The interface of a backend. The engine guarantees:
 * - It calls methods only between `open` and `close`. It never starts a write while another is under way.
 * - Reads may run beside a write. A range sees the batch whole or not at all. Who has read one key of a batch never reads an
 *   older value of another one afterwards.
 * - Keys have 1 to `MAX_KEY_BYTES` bytes, `limit` is a natural number, and `gte` is below `lt` if both are given.
 * - Arrays passed to a call do not change until it has resolved.
 *
 * Failures reject with any Error, which the engine wraps. Arrays that a driver returns must never change.
 */
export interface StorageDriver {
  /** Name for error messages: `memory`, `leveldb`, … */
  readonly name: string;
  /** The optional abilities that it has. */
  readonly capabilities: StorageCapabilities;
  /**
   * The reason why the driver is readable but refuses batches until {@link reopen}, for example a full disk.
   * `undefined`: it accepts batches.
   */
  readonly failure?: Error | undefined;
  /** The present mark of the store, if the driver keeps one outside of the keys. Only while open. */
  readonly marker?: StoreMark | undefined;
  /**
   * Raises the format in {@link marker}, so that programs which only read older formats refuse the store. Does nothing
   * if it has the format. It is on the disk when this resolves; if it rejects, the store is unchanged. The engine calls
   * it only between writes. Exists if and only if {@link marker} does.
   */
  raiseFormat?(format: number): Promise<void>;
  /** Opens the storage. All other calls come after it. */
  open(): Promise<void>;
  /**
   * Reads what other processes have written. `undefined`: nothing since the last {@link Refresh.show}. Calls must not
   * overlap. A driver that writes itself makes sure that nobody else does, and rejects if another process took over.
   * Exists if other processes may write while the driver is open.
   */
  refresh?(): Promise<Refresh | undefined>;
  /**
   * Whether {@link refresh} may find something, as far as the driver has heard without being asked; `undefined` if it hears
   * nothing by itself.
   */
  mayHaveNews?(): boolean | undefined;
  /** A driver that shows the present state and never another one. Exists if `refresh` can change what the driver shows. */
  view?(): StorageDriver;
  /** Figures of this process's use of a store that several processes can share. Only such drivers have them. */
  figures?(): SharedFigures;
  /** Work in the background that failed and is tried again, or that left out what is damaged. If it is missing: none. */
  backgroundFailures?(): readonly JobFailure[];
  /** Closes the storage, after all calls have ended. */
  close(): Promise<void>;
  /** The value of a key; `undefined` if there is none. */
  get(key: Bytes): Promise<Bytes | undefined>;
  /** Exists if and only if `capabilities.getSync` is true. */
  getSync?(key: Bytes): Bytes | undefined;
  /** The values of the keys, in the order of `keys`. */
  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]>;
  /**
   * Entries in key order, in chunks whose size the driver chooses. All chunks show the state at the time of the first
   * one.
   */
  range(range: KeyRange, options: Required<RangeOptions>): AsyncIterable<readonly Entry[]>;
  /**
   * The present state: every batch that was acknowledged before the call is in it, and none that is handed over later. If it is
   * missing, the engine copies all entries into memory for it, unless the driver is open for reading only.
   */
  snapshot?(): DriverSnapshot;
  /**
   * Applies the whole batch or nothing of it. Reads may see it before the promise resolves. A StorageError `STORAGE_LIMIT` means that
   * nothing was applied, and that other batches can be written.
   */
  write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome>;
  /** Bytes that the entries of a range occupy. */
  approximateSize(range: KeyRange): Promise<number>;
  /** Frees the space of deleted keys in the range. Exists if and only if `capabilities.compact` is true. */
  compact?(range: KeyRange): Promise<void>;
  /**
   * Writes the files anew, so that no byte is left in them of values that were deleted or replaced before the call. Reads and writes
   * go on, except where it asks for a pause. Afterwards, or after a rejection, all entries are as they would be without it. Returns
   * the number of written bytes. If it is missing, nothing can be done, or need not.
   */
  purge?(pauses: PurgePauses): Promise<number>;
  /**
   * Rejects while the medium accepts no writes. The engine calls it before {@link reopen}, so that it does not reopen
   * in vain, and before it writes again after `full`. Reads may be under way. If it is missing, the medium is
   * expected to accept writes.
   */
  probe?(): Promise<void>;
  /**
   * Restores the driver after an I/O error by closing and opening what is below it. Afterwards writes can succeed
   * again, or at least reads; then {@link failure} is set. No other call is under way. After a rejection the engine
   * may call it again, and will call `close`. If it is missing, the engine calls `close` and `open`.
   */
  reopen?(): Promise<void>;
}
