/** Values as they stand in blob files: compressed with Snappy where that saves an eighth. */

import { CorruptionError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import { PLAIN, SNAPPY, type BlobForm } from './blob-pointer.js';

type Snappy = typeof import('snappy');

/** A value on its way into a file. */
export interface StoredValue {
  readonly key: Bytes;
  readonly form: BlobForm;
  readonly stored: Bytes;
  /** Of the value itself. */
  readonly length: number;
}

export class BlobCodec {
  private constructor(private readonly snappy: Snappy) {}

  static async load(): Promise<BlobCodec> {
    return new BlobCodec(await import('snappy'));
  }

  /** On this thread: handing some kilobytes to another one takes as long as compressing them. */
  encode(key: Bytes, value: Bytes): StoredValue {
    const compressed = this.snappy.compressSync(value);
    return compressed.length <= (value.length * 7) / 8
      ? { key, form: SNAPPY, stored: compressed, length: value.length }
      : { key, form: PLAIN, stored: value, length: value.length };
  }

  /** An array of its own: `stored` may change afterwards. */
  decode(form: BlobForm, stored: Bytes): Bytes {
    if (form === PLAIN) return new Uint8Array(stored);
    try {
      return this.snappy.uncompressSync(stored, { asBuffer: true, copyOutputData: true }) as Buffer;
    } catch (error) {
      throw new CorruptionError('CHECKSUM', 'A value in a blob file cannot be decompressed.', { cause: error });
    }
  }
}
