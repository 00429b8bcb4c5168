/** Encodes values for blob files: unchanged, or compressed with LZ4 if that saves at least an eighth. */

import { CorruptionError, yieldTurn } from '@quadrille/model';
import type { Bytes, Entry } from '@quadrille/storage';
import { LZ4, PLAIN, type BlobForm } from './blob-pointer.js';

type Lz4 = typeof import('lz4-napi');

/** An encoded value for a blob file. */
export interface StoredValue {
  readonly key: Bytes;
  readonly form: BlobForm;
  readonly stored: Bytes;
  /** Length of the original value, in bytes. */
  readonly length: number;
}

/** Bytes compressed between two turns of the event loop. Takes 1 to 2 ms. */
const TURN_BYTES = 128 * 1024;

const storedAs = (form: BlobForm, key: Bytes, value: Bytes, stored: Bytes): StoredValue => ({
  key,
  form,
  stored,
  length: value.length,
});

/** Stores a value unchanged. */
export const plain = ({ key, value }: Entry): StoredValue => storedAs(PLAIN, key, value, value);

export class BlobCodec {
  #lz4: Lz4 | undefined;

  /** Loads LZ4, which takes 10 ms. Await it before compressing, and before reading compressed values. */
  async load(): Promise<void> {
    this.#lz4 ??= await import('lz4-napi');
  }

  /**
   * Compresses values on this thread, because handing some kilobytes to another thread takes as long. Yields to the
   * event loop in between.
   */
  async compressed(entries: readonly Entry[]): Promise<StoredValue[]> {
    await this.load();
    const values: StoredValue[] = [];
    let bytes = TURN_BYTES;
    for (const { key, value } of entries) {
      if (bytes >= TURN_BYTES) {
        await yieldTurn();
        bytes = 0;
      }
      bytes += value.length;
      const stored = this.#lz4!.compressSync(asBuffer(value));
      values.push(stored.length <= (value.length * 7) / 8 ? storedAs(LZ4, key, value, stored) : plain({ key, value }));
    }
    return values;
  }

  /**
   * Decodes a value of `length` bytes to a new array. `stored` may change afterwards.
   * @throws CorruptionError `CHECKSUM`
   */
  decode(form: BlobForm, stored: Bytes, length: number): Bytes {
    if (form === PLAIN) return new Uint8Array(stored);
    try {
      // The compressed form begins with the length of the value, and the decoder allocates as much. A damaged length
      // must not.
      if (asBuffer(stored).readUInt32LE(0) === length) return this.#lz4!.uncompressSync(stored);
    } catch (error) {
      throw damaged(error);
    }
    throw damaged(undefined);
  }
}

const asBuffer = (bytes: Bytes): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

const damaged = (cause: unknown): CorruptionError =>
  new CorruptionError('CHECKSUM', 'A value in a blob file cannot be decompressed.', { cause });
