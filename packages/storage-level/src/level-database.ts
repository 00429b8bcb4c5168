/** The part of the abstract-level interface that the driver uses. Every version and implementation fits. */

import type { Bytes } from '@quadrille/storage';

/** Encodings with which every database passes bytes through unchanged. */
export interface ByteEncodings {
  readonly keyEncoding: 'view';
  readonly valueEncoding: 'view';
}

/** A state of the database. Iterators over it keep it open. */
export interface LevelSnapshot {
  ref(): void;
  unref(): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Which state to read. */
export interface LevelReading extends ByteEncodings {
  readonly snapshot?: LevelSnapshot;
}

export interface LevelRange {
  gte?: Bytes;
  lt?: Bytes;
  reverse?: boolean;
  limit?: number;
}

export interface LevelIteratorOptions extends LevelRange, LevelReading {
  keys: boolean;
  values: boolean;
  /** Bytes in a chunk. Only classic-level uses it. */
  highWaterMarkBytes: number;
}

export interface LevelIterator {
  nextv(size: number): Promise<[Bytes | undefined, Bytes | undefined][]>;
  close(): Promise<void>;
}

/** An operation of a batch. The batch gives the encodings. */
export type LevelOperation =
  | { readonly type: 'put'; readonly key: Bytes; readonly value: Bytes }
  | { readonly type: 'del'; readonly key: Bytes };

/** What the driver needs of an abstract-level database. */
export interface LevelDatabase {
  /** `open` where calls are possible. */
  readonly status: string;
  /** What the database can do. */
  readonly supports: {
    /** Whether `getSync` exists. */
    readonly getSync?: boolean;
    /** Whether the data outlive the process. */
    readonly permanence: boolean;
    /** Whether an iterator shows the state at its creation. */
    readonly implicitSnapshots: boolean;
    /** Whether `snapshot` exists. */
    readonly explicitSnapshots?: boolean;
    /** Methods beyond those of abstract-level, by their names. */
    readonly additionalMethods: Readonly<Record<string, boolean>>;
  };
  /** Opens the database. */
  open(): Promise<void>;
  /** Closes the database. */
  close(): Promise<void>;
  /** The value of a key; `undefined` if there is none. */
  get(key: Bytes, options: LevelReading): Promise<Bytes | undefined>;
  /** The same, without waiting. */
  getSync(key: Bytes, options: ByteEncodings): Bytes | undefined;
  /** The values of keys, in their order. */
  getMany(keys: Bytes[], options: LevelReading): Promise<(Bytes | undefined)[]>;
  /** `sync` has an effect in classic-level only. */
  batch(operations: LevelOperation[], options: ByteEncodings & { sync: boolean }): Promise<void>;
  /** What `batch` calls in the end: abstract-level's interface for implementations. In classic-level it takes bytes. */
  _batch?(operations: LevelOperation[], options: { sync: boolean }): Promise<void>;
  /** Reads a range. */
  iterator(options: LevelIteratorOptions): LevelIterator;
  /** The present state. */
  snapshot?(): LevelSnapshot;
  /** Bytes that a range takes on disk. */
  approximateSize?(start: Bytes, end: Bytes, options: { keyEncoding: 'view' }): Promise<number>;
  /** Frees the space of deleted keys of a range. */
  compactRange?(start: Bytes, end: Bytes, options: { keyEncoding: 'view' }): Promise<void>;
}
