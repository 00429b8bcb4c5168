/** Vectors in memory, by their ids, and what a question leaves of them. */
import type { Pacer } from '../runtime/env.js';
import { type Kernel, newKernel, type Segment } from './kernel.js';
import { countIn, widthOf } from './vector-chunk.js';
import { normOf } from './vector-text.js';

/** Bytes of the vectors of a segment. */
const SEGMENT_BYTES = 128 * 1024;
const LARGEST = 32_767;
const FIRST_IDS = 1024;
/** What numbers of 32 bits may round away of a score. */
const ROUNDING = 1e-5;

/** The vector of a question. */
export interface Query {
  readonly vector: Float32Array;
  readonly norm: number;
  /** Its numbers in 16 bits. */
  readonly numbers: Int16Array;
  /** What makes the product of them and of a vector a cosine, beside the factor of the vector. */
  readonly scale: number;
  /** Scores are greater than those of a scan by no more than this. */
  readonly slack: number;
}

export function queryOf(vector: Float32Array): Query {
  const norm = normOf(vector);
  const width = widthOf(vector.length);
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  // Sums of products stay within 32 bits.
  const step = largest / Math.min(LARGEST, Math.floor((2 ** 31 - 1) / (127 * (width / 4))));
  const numbers = new Int16Array(width);
  let square = 0;
  for (const [i, number] of vector.entries()) {
    numbers[i] = Math.round(number / step);
    square += (number - numbers[i]! * step) ** 2;
  }
  return { vector, norm, numbers, scale: step / norm, slack: (2 * Math.sqrt(square)) / norm + ROUNDING };
}

interface Memory {
  readonly kernel: Kernel;
  /** Where a query and its scores stand. */
  readonly query: number;
  readonly scores: number;
}

export class VectorColumn {
  count = 0;
  #ids = new Uint32Array(FIRST_IDS);
  #memory: Memory | undefined;
  readonly #width: number;
  /** Vectors of a segment. */
  readonly #capacity: number;
  readonly #segments: Segment[] = [];

  constructor(
    private readonly dimension: number,
    private readonly makeKernel: () => Kernel = newKernel,
  ) {
    this.#width = widthOf(dimension);
    this.#capacity = Math.max(16, Math.floor(SEGMENT_BYTES / this.#width));
  }

  // An index that nobody asks takes none.
  get #own(): Memory {
    if (this.#memory !== undefined) return this.#memory;
    const kernel = this.makeKernel();
    const query = kernel.reserve(this.#width * 2);
    return (this.#memory = { kernel, query, scores: kernel.reserve(this.#capacity * 4) });
  }

  /** Bytes of memory. */
  get bytes(): number {
    return (this.#memory?.kernel.buffer.byteLength ?? 0) + this.#ids.byteLength;
  }

  /** The ids of the first vectors, ascending. */
  ids(count: number): Uint32Array {
    return this.#ids.subarray(0, count);
  }

  /** The number of vectors with ids below a mark. */
  before(mark: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ids[middle]! < mark) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds all vectors of a chunk, whose ids are greater than those before. @throws RangeError if there is no memory, and adds none */
  add(chunk: Uint8Array): void {
    const count = countIn(chunk, this.dimension);
    for (let place = this.count; place < this.count + count; place += this.#capacity) this.#segmentFor(place);
    if (count > 0) this.#segmentFor(this.count + count - 1);
    // A copy, which begins where its numbers may.
    this.#addIds(
      new Uint32Array(new Uint8Array(chunk.subarray(count * this.#width, count * (this.#width + 4))).buffer),
    );
    for (let from = 0; from < count;) {
      const room = this.#capacity - (this.count % this.#capacity);
      const some = Math.min(room, count - from);
      this.#copy(chunk, count, from, some);
      from += some;
      this.count += some;
    }
  }

  #addIds(ids: Uint32Array): void {
    if (this.count + ids.length > this.#ids.length) {
      const grown = new Uint32Array(Math.max(this.#ids.length * 2, this.count + ids.length));
      grown.set(this.#ids);
      this.#ids = grown;
    }
    this.#ids.set(ids, this.count);
  }

  // Some vectors of a chunk of `count`, into one segment.
  #copy(chunk: Uint8Array, count: number, from: number, some: number): void {
    const { start, width, capacity } = this.#segmentFor(this.count);
    const place = this.count % capacity;
    const memory = new Uint8Array(this.#own.kernel.buffer);
    memory.set(chunk.subarray(from * width, (from + some) * width), start + place * width);
    const factors = start + capacity * width + place * 4;
    const own = count * (width + 4) + from * 4;
    memory.set(chunk.subarray(own, own + some * 4), factors);
    memory.set(chunk.subarray(own + count * 4, own + count * 4 + some * 4), factors + capacity * 4);
  }

  #segmentFor(place: number): Segment {
    const at = Math.floor(place / this.#capacity);
    const known = this.#segments[at];
    if (known !== undefined) return known;
    const start = this.#own.kernel.reserve(this.#capacity * (this.#width + 8));
    const segment = { start, width: this.#width, capacity: this.#capacity };
    this.#segments.push(segment);
    return segment;
  }

  /** Writes what the scores of the first vectors are at most, beside the slack of the query. */
  async scan({ numbers, scale }: Query, count: number, out: Float32Array, pacer: Pacer): Promise<void> {
    for (let at = 0; at < count; at += this.#capacity) {
      const some = Math.min(this.#capacity, count - at);
      const { kernel, query, scores } = this.#own;
      // Another question may have come in a pause.
      new Int16Array(kernel.buffer, query, numbers.length).set(numbers);
      kernel.score(query, this.#segments[at / this.#capacity]!, some, scale, scores);
      out.set(new Float32Array(kernel.buffer, scores, some), at);
      if (pacer.due()) await pacer.pause();
    }
  }
}
