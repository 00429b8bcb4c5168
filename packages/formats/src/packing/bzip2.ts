/** bzip2: block by block, each when all of it is there, for its decoder cannot wait. */
import bitIterator from 'unbzip2-stream/lib/bit_iterator.js';
import bzip2 from 'unbzip2-stream/lib/bzip2.js';
import { corrupt, truncated } from './corrupt.js';

const BLOCK_UNIT = 100_000;
/** A block of random bytes is longer than what it holds, by its tables. */
const TABLE_BYTES = 25_000;
const FIRST_PIECE = 256 * 1024;
/** Runs of one byte can make a block fifty times as long as its memory. */
const LONGEST_PIECE = 1024 * 1024;

/** What a block becomes, in pieces. */
class Pieces {
  readonly #full: Uint8Array[] = [];
  #piece = new Uint8Array(FIRST_PIECE);
  #length = 0;

  readonly write = (byte: number): void => {
    if (this.#length === this.#piece.length) {
      this.#full.push(this.#piece);
      this.#piece = new Uint8Array(LONGEST_PIECE);
      this.#length = 0;
    }
    this.#piece[this.#length++] = byte;
  };

  *take(): Generator<Uint8Array> {
    yield* this.#full;
    if (this.#length > 0) yield this.#piece.subarray(0, this.#length);
  }
}

/** Bytes that come when they are asked for, for a reader of bits that does not wait. */
class HeldChunks {
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #chunks: Uint8Array[] = [];
  #received = 0;
  ended = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#iterator = source[Symbol.asyncIterator]();
  }

  /** Where the bytes of a block go on; nothing where they end too early. */
  readonly next = (): Uint8Array | undefined => this.#chunks.shift();

  /** Waits until this number of bytes is there behind those that were read, or all. Returns how many there are. */
  async hold(bytes: number, bytesRead: number): Promise<number> {
    while (!this.ended && this.#received - bytesRead < bytes) {
      const { done, value } = await this.#iterator.next();
      if (done === true) this.ended = true;
      else if (value.length > 0) {
        this.#chunks.push(value);
        this.#received += value.length;
      }
    }
    return this.#received - bytesRead;
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }
}

/**
 * Unpacks a bzip2 file, also one of several streams, as parallel programs write them. Leaving the iteration early closes the source.
 * @throws ParseError `RDF_SYNTAX` for a truncated or corrupt file, through the iterator
 */
export async function* unpackBzip2(
  source: AsyncIterable<Uint8Array>,
  { source: name }: { readonly source?: string | undefined } = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const held = new HeldChunks(source);
  try {
    if ((await held.hold(TABLE_BYTES, 0)) === 0) throw truncated('bzip2', name);
    const bits = bitIterator(held.next);
    let memory = new Int32Array(0);
    // Undefined between two streams.
    let checksum: number | undefined;
    for (;;) {
      const left = await held.hold(TABLE_BYTES + memory.length, bits.bytesRead);
      if (left <= 0 && checksum === undefined) return;
      const pieces = new Pieces();
      try {
        if (checksum === undefined) {
          memory = new Int32Array(bzip2.header(bits) * BLOCK_UNIT);
          checksum = 0;
          continue;
        }
        checksum = bzip2.decompress(bits, pieces.write, memory, memory.length, checksum) ?? undefined;
      } catch (error) {
        // The reader has no bytes left.
        throw error instanceof TypeError && held.ended ? truncated('bzip2', name) : corrupt('bzip2', error, name);
      }
      yield* pieces.take();
    }
  } finally {
    await held.close();
  }
}
