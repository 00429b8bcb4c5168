/**
 * Checksums over sets of intervals. They compare the contents of an index and of the log without keeping them in
 * memory.
 */
import { hashIds } from '../runtime/id-hash.js';

/** A checksum of a set, independent of its sequence: two lanes of 32 bits, and the number of items. */
class SetSum {
  count = 0;
  #low = 0;
  #high = 0;

  add(s: number, p: number, o: number, g: number, from: number, to: number): void {
    const low = hashIds(s, p, o, g);
    const high = hashIds(o ^ 0x5bd1e995, g, s, p);
    this.count++;
    this.#low = (this.#low + hashIds(low, from, to, 1)) >>> 0;
    this.#high = (this.#high + hashIds(high, to, from, 2)) >>> 0;
  }

  toString(): string {
    return `${this.count} (${this.#low.toString(16)}-${this.#high.toString(16)})`;
  }
}

/** Checksums of intervals that began, and of those that ended. */
export class IntervalSums {
  readonly begun = new SetSum();
  readonly ended = new SetSum();
}
