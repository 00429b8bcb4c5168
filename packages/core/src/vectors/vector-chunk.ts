/**
 * Vectors as they are stored: one byte for each number, with a factor that makes lengths equal, and the length of what the bytes leave out.
 * A chunk is the bytes of all its vectors, then their ids, their factors and their errors (32 bits each).
 */
import { PART_BYTES } from '../format/layout.js';
import { normOf } from './vector-text.js';

const LARGEST = 127;
const BYTES_BESIDE = 12;
/** What numbers of 32 bits may round away of an error. */
const ROUNDING = 1e-6;

/** Bytes of a vector in a column: the kernel reads 16 at once. */
export const widthOf = (dimension: number): number => Math.ceil(dimension / 16) * 16;

/** Most vectors of a chunk. */
export const chunkVectors = (dimension: number): number => Math.floor(PART_BYTES / (widthOf(dimension) + BYTES_BESIDE));

/** The number of vectors of a chunk. */
export const countIn = (chunk: Uint8Array, dimension: number): number =>
  chunk.length / (widthOf(dimension) + BYTES_BESIDE);

export class VectorChunk {
  count = 0;
  readonly #width: number;
  readonly #vectors: Int8Array;
  readonly #ids: Uint32Array;
  readonly #factors: Float32Array;
  readonly #errors: Float32Array;

  constructor(
    dimension: number,
    readonly capacity = chunkVectors(dimension),
  ) {
    this.#width = widthOf(dimension);
    this.#vectors = new Int8Array(capacity * this.#width);
    this.#ids = new Uint32Array(capacity);
    this.#factors = new Float32Array(capacity);
    this.#errors = new Float32Array(capacity);
  }

  get isFull(): boolean {
    return this.count === this.capacity;
  }

  add(id: number, vector: Float32Array): void {
    const norm = normOf(vector);
    let largest = 0;
    for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!));
    const scale = largest / LARGEST;
    let square = 0;
    for (let i = 0, at = this.count * this.#width; i < vector.length; i++, at++) {
      const number = Math.round(vector[i]! / scale);
      this.#vectors[at] = number;
      const error = vector[i]! - number * scale;
      square += error * error;
    }
    this.#ids[this.count] = id;
    this.#factors[this.count] = scale / norm;
    this.#errors[this.count++] = (Math.sqrt(square) / norm) * (1 + ROUNDING) + ROUNDING;
  }

  /** Continues a chunk that is not full. */
  resume(chunk: Uint8Array): void {
    const count = chunk.length / (this.#width + BYTES_BESIDE);
    let from = 0;
    for (const [target, size] of [
      [this.#vectors, this.#width],
      [this.#ids, 4],
      [this.#factors, 4],
      [this.#errors, 4],
    ] as const) {
      new Uint8Array(target.buffer).set(chunk.subarray(from, from + count * size));
      from += count * size;
    }
    this.count = count;
  }

  /** The bytes of all vectors. Empties the chunk. */
  take(): Uint8Array {
    const { count } = this;
    const bytes = new Uint8Array(count * (this.#width + BYTES_BESIDE));
    bytes.set(new Uint8Array(this.#vectors.buffer, 0, count * this.#width));
    let at = count * this.#width;
    for (const { buffer } of [this.#ids, this.#factors, this.#errors]) {
      bytes.set(new Uint8Array(buffer, 0, count * 4), at);
      at += count * 4;
    }
    this.count = 0;
    return bytes;
  }
}
