/** Sums over the intervals of an index or of the log, by which their contents are compared without keeping them. */
import { hashIds } from '../runtime/id-hash.js';

/** A sum over a set that does not depend on the sequence: two lanes of 32 bits and the count. */
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

/** Begun and ended intervals, of all quads and of those in named graphs. */
export class IntervalSums {
  readonly begun = new SetSum();
  readonly ended = new SetSum();
}
