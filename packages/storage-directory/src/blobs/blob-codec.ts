/** Values as they stand in blob files: as they are, or compressed with LZ4 where that saves an eighth. */

import { CorruptionError, yieldTurn } from '@quadrille/model';
import type { Bytes, Entry } from '@quadrille/storage';
import { LZ4, PLAIN, type BlobForm } from './blob-pointer.js';

type Lz4 = typeof import('lz4-napi');

/** A value on its way into a file. */
export interface StoredValue {
  readonly key: Bytes;
  readonly form: BlobForm;
  readonly stored: Bytes;
  /** Of the value itself. */
  readonly length: number;
}

/** Takes one to two milliseconds. */
const TURN_BYTES = 128 * 1024;

const storedAs = (form: BlobForm, key: Bytes, value: Bytes, stored: Bytes): StoredValue => ({
  key,
  form,
  stored,
  length: value.length,
});

/** As it is. */
export const plain = ({ key, value }: Entry): StoredValue => storedAs(PLAIN, key, value, value);

export class BlobCodec {
  #lz4: Lz4 | undefined;

  /** To be awaited before anything is compressed, or read where that was. It takes ten milliseconds. */
  async load(): Promise<void> {
    this.#lz4 ??= await import('lz4-napi');
  }

  /** On this thread, since handing some kilobytes to another one takes as long; the event loop has its turn in between. */
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
   * A value of `length` bytes, in an array of its own: `stored` may change afterwards.
   * @throws CorruptionError `CHECKSUM`
   */
  decode(form: BlobForm, stored: Bytes, length: number): Bytes {
    if (form === PLAIN) return new Uint8Array(stored);
    try {
      // It begins with the length of the value, and so much memory is taken: a wrong one must not count.
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
