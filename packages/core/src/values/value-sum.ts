/** A sum that does not depend on the order in which values are added: two sides of an index are compared without being in memory. */
import { hashHigh, hashLow, hashTerm } from '../dictionary/hash.js';

export class ValueSum {
  #low = 0;
  #high = 0;
  count = 0;

  /** Adds a value of a literal, and where it stands there. */
  add(value: Uint8Array, length: number, id: number, place: number): void {
    hashTerm(value, 0, length, Math.imul(id, 0x9e37_79b1) ^ place);
    this.#low = (this.#low + hashLow) >>> 0;
    this.#high = (this.#high + hashHigh) >>> 0;
    this.count++;
  }

  equals(other: ValueSum): boolean {
    return this.#low === other.#low && this.#high === other.#high && this.count === other.count;
  }
}
