/** The part of the abstract-level interface that the driver uses. Every version and implementation fits. */

import type { Bytes } from '@quadrille/storage';

/** Encodings with which every database passes bytes through unchanged. */
export interface ByteEncodings {
  readonly keyEncoding: 'view';
  readonly valueEncoding: 'view';
}

export interface LevelRange {
  gte?: Bytes;
  lt?: Bytes;
  reverse?: boolean;
  limit?: number;
}

export interface LevelIteratorOptions extends LevelRange, ByteEncodings {
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
  { readonly type: 'put'; readonly key: Bytes; readonly value: Bytes } | { readonly type: 'del'; readonly key: Bytes };

export interface LevelDatabase {
  readonly status: string;
  readonly supports: {
    readonly getSync?: boolean;
    readonly permanence: boolean;
    readonly implicitSnapshots: boolean;
    readonly additionalMethods: Readonly<Record<string, boolean>>;
  };
  open(): Promise<void>;
  close(): Promise<void>;
  get(key: Bytes, options: ByteEncodings): Promise<Bytes | undefined>;
  getSync(key: Bytes, options: ByteEncodings): Bytes | undefined;
  getMany(keys: Bytes[], options: ByteEncodings): Promise<(Bytes | undefined)[]>;
  /** `sync` has an effect in classic-level only. */
  batch(operations: LevelOperation[], options: ByteEncodings & { sync: boolean }): Promise<void>;
  iterator(options: LevelIteratorOptions): LevelIterator;
  approximateSize?(start: Bytes, end: Bytes, options: { keyEncoding: 'view' }): Promise<number>;
  compactRange?(start: Bytes, end: Bytes, options: { keyEncoding: 'view' }): Promise<void>;
}
