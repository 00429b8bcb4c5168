/** What the driver uses of an abstract-level database, by shape: any version and any implementation fits. */

import type { Bytes } from '@quadrille/storage';

/** Encodings under which every database hands plain bytes through. */
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
  /** Of classic-level: bytes in a chunk. Others ignore it. */
  highWaterMarkBytes: number;
}

export interface LevelIterator {
  nextv(size: number): Promise<[Bytes | undefined, Bytes | undefined][]>;
  close(): Promise<void>;
}

/** The encodings are those of the batch. */
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
  /** `sync` is classic-level's; others ignore it. */
  batch(operations: LevelOperation[], options: ByteEncodings & { sync: boolean }): Promise<void>;
  iterator(options: LevelIteratorOptions): LevelIterator;
  approximateSize?(start: Bytes, end: Bytes, options: { keyEncoding: 'view' }): Promise<number>;
  compactRange?(start: Bytes, end: Bytes, options: { keyEncoding: 'view' }): Promise<void>;
}
