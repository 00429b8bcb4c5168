/**
 * A Bloom filter with one hash over the keys of a table's rows. It lets a seek skip the table without a search. Most
 * seeks of a join look for quads that no recent commit has touched.
 */
import type { RowColumns } from '../block/block-codec.js';
import type { Order } from '../orders.js';
import { OSPG, SPOG } from '../orders.js';

const BITS_PER_ROW = 16;
const FIRST_WORDS = 128;

/** Number of leading places of an order that form the key. A predicate or a graph alone would match too many rows. */
export const keyPlaces = (order: Order): 1 | 2 => (order === SPOG || order === OSPG ? 1 : 2);

/** The hash of the ids in the first places of an order. */
export function keyHash(order: Order, first: number, second: number): number {
  let hash = Math.imul(first, 0x9e3779b1);
  if (keyPlaces(order) === 2) hash = Math.imul(hash ^ (hash >>> 15) ^ second, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x2c1b3c6d);
  return (hash ^ (hash >>> 15)) >>> 0;
}

export class KeyFilter {
  #bits = new Uint32Array(FIRST_WORDS);
  #rows = 0;

  constructor(private readonly order: Order) {}

  mayHave(hash: number): boolean {
    const bits = this.#bits;
    return (bits[(hash >>> 5) & (bits.length - 1)]! & (1 << (hash & 31))) !== 0;
  }

  /** Adds the rows that were appended since the last call. */
  cover(columns: RowColumns, rows: number): void {
    if (rows * BITS_PER_ROW > this.#bits.length * 32) {
      let words = this.#bits.length;
      while (rows * BITS_PER_ROW > words * 32) words *= 2;
      this.#bits = new Uint32Array(words * 2);
      this.#rows = 0;
    }
    const bits = this.#bits;
    const first = columns[this.order.columns[0]]!;
    const second = columns[this.order.columns[1]]!;
    for (let row = this.#rows; row < rows; row++) {
      const hash = keyHash(this.order, first[row]!, second[row]!);
      bits[(hash >>> 5) & (bits.length - 1)]! |= 1 << (hash & 31);
    }
    this.#rows = rows;
  }
}
