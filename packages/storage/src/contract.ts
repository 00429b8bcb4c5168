/**
 * The storage contract: an ordered key-value store with binary keys. An adapter writes a {@link StorageDriver}, which is
 * small and may trust its input; everything above talks to the {@link StorageEngine} around it (engine.ts), which checks
 * state and limits, seals every value with a checksum and turns I/O errors into a fail-stop.
 */

/** Keys and values. Keys order as unsigned bytes, a prefix before what it begins. */
export type Bytes = Uint8Array;

/** Longest key, in bytes, that every backend takes; the shortest has one byte. */
export const MAX_KEY_BYTES = 256;
/** Longest value, in bytes, that callers may write (the checksum envelope comes on top). */
export const MAX_VALUE_BYTES = 64 * 1024;

/** A range of keys, half open. Absent bounds are open. */
export interface KeyRange {
  readonly gte?: Bytes;
  readonly lt?: Bytes;
  /** From the last key to the first. Default false. */
  readonly reverse?: boolean;
  /** At most so many entries. Default all. */
  readonly limit?: number;
}

export interface RangeOptions {
  /** What to read. Default `'entries'`; the other one is left empty in the answer. */
  readonly read?: 'keys' | 'values' | 'entries';
}

export interface Entry {
  readonly key: Bytes;
  readonly value: Bytes;
}

export type WriteOp =
  | {
      readonly type: 'put';
      readonly key: Bytes;
      readonly value: Bytes;
      /** The value will stay when others of its batch are deleted; a driver may keep such values apart. Default false. */
      readonly lasting?: boolean;
    }
  | { readonly type: 'delete'; readonly key: Bytes }
  /** Every key with `gte <= key < lt` that is there when the batch is applied, earlier operations of the batch included. */
  | { readonly type: 'deleteRange'; readonly gte: Bytes; readonly lt: Bytes };

export interface WriteOptions {
  /** Answer only after the batch is on disk (fsync). Otherwise it survives the death of the process, not of the machine. */
  readonly durable: boolean;
  /** Compare-and-set: apply only if `key` has this value now (`undefined`: is absent). */
  readonly precondition?: { readonly key: Bytes; readonly value: Bytes | undefined };
  /**
   * The batch gives space back: it may take the room that is kept for such batches, and is written where others are
   * refused because the medium is full. Default: whether it only deletes.
   */
  readonly frees?: boolean;
}

/**
 * `conflict`: the precondition did not hold and nothing was applied. `full`: there is no room for it on the medium; nothing
 * was applied, what was begun is gone, and the next batch may be tried. `unknown`: nobody can say; read to find out.
 */
export type WriteOutcome = 'ok' | 'conflict' | 'full' | 'unknown';

/** What a driver can do beyond the minimum, as data. */
export interface StorageCapabilities {
  /** `getSync` answers at once. */
  readonly getSync: boolean;
  /** `durable: true` reaches the disk. False for memory. */
  readonly durable: boolean;
  /** `approximateSize` measures bytes on disk; otherwise it sums the lengths of keys and values. */
  readonly sizeOnDisk: boolean;
  /** `compact` gives space back. */
  readonly compact: boolean;
  /**
   * A value given to `write` may be part of a larger array at no cost, and nothing holds it once `write` has answered: its memory is used
   * again then. Default false.
   */
  readonly partsOfArrays?: boolean;
  /** It is open for reading alone: it shows one state of the store, and is asked for no `write`. Default false. */
  readonly readOnly?: boolean;
}

/**
 * What an adapter writes. Methods are called between `open` and `close` only; two writes are never under way at once;
 * reads may be, beside a write, and see each batch whole or not at all per key. Failures reject with any Error: the
 * engine wraps them. Keys have 1 to `MAX_KEY_BYTES` bytes, `limit` is a natural number, and `gte` is before `lt` where
 * both are given. Arrays that were handed out must never change; arrays that were handed in may, once the call is answered.
 */
export interface StorageDriver {
  /** For messages: `memory`, `leveldb`, … */
  readonly name: string;
  readonly capabilities: StorageCapabilities;
  /** Why it takes no batch until {@link reopen}, though it is open and can be read: the disk is full, say. Absent: it takes all. */
  readonly failure?: Error | undefined;
  open(): Promise<void>;
  close(): Promise<void>;
  get(key: Bytes): Promise<Bytes | undefined>;
  /** There if and only if `capabilities.getSync`. */
  getSync?(key: Bytes): Bytes | undefined;
  /** In the order of `keys`. */
  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]>;
  /** Entries in key order, in chunks of a size that suits the backend; sees one state of the store from its first chunk on. */
  range(range: KeyRange, options: Required<RangeOptions>): AsyncIterable<readonly Entry[]>;
  /** Applies the whole batch or nothing of it. Reads may see it before this is answered. */
  write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome>;
  /** Bytes that a range occupies. */
  approximateSize(range: KeyRange): Promise<number>;
  /** Gives the space of deleted keys in the range back. There if and only if `capabilities.compact`. */
  compact?(range: KeyRange): Promise<void>;
  /**
   * Asked before {@link reopen}, and before batches are written again after one that was answered with `full`; with reads
   * under way. Rejects while the medium takes no writes, so that nothing is closed for naught. Absent: it takes them.
   */
  probe?(): Promise<void>;
  /**
   * After an I/O error: brings the driver back to a state in which writes can succeed again (closes and opens what is
   * below), or at least to one in which it can be read, with a {@link failure}. No call and no range is under way. After a
   * rejection it may be called again, and `close` will be. Absent: the engine calls `close` and `open`.
   */
  reopen?(): Promise<void>;
}
