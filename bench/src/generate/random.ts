/** Random numbers with one source per entity, so that every entity can be made without the others. */

export class Random {
  #state = 0;

  /** Starts the source of entity `index` of a kind. */
  restart(seed: number, kind: number, index: number): void {
    this.#state = mixed(mixed(mixed(seed) ^ kind) ^ index);
  }

  /** A number from 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from 0 to `end - 1`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }
  chance(share: number): boolean {
    return this.next() < share;
  }
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}

function mixed(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) + 0x9e3779b9;
}
