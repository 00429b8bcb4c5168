/** Texts of terms in memory: an arena of bytes, and an open-addressing table that finds them by hash and text. */

export class TermTable {
  arena: Uint8Array;
  arenaLength = 0;
  size = 0;
  starts = new Uint32Array(INITIAL);
  ends = new Uint32Array(INITIAL);
  high = new Uint32Array(INITIAL);
  low = new Uint32Array(INITIAL);
  #slots = new Int32Array(INITIAL * 2).fill(-1);

  constructor(arenaBytes = 64 * 1024) {
    this.arena = new Uint8Array(arenaBytes);
  }

  /** Index of a text, or -1. */
  find(bytes: Uint8Array, start: number, end: number, high: number, low: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const index = this.#slots[slot]!;
      if (index === -1) return -1;
      if (this.low[index] === low && this.high[index] === high && this.#sameText(index, bytes, start, end))
        return index;
    }
  }

  /** Adds a text that is not there; its index counts up from 0. */
  add(bytes: Uint8Array, start: number, end: number, high: number, low: number): number {
    if (this.size === this.starts.length) this.#grow();
    const index = this.size++;
    const at = this.#reserve(end - start);
    // A short copy by hand beats subarray and set.
    const { arena } = this;
    for (let i = start, to = at; i < end; i++, to++) arena[to] = bytes[i]!;
    this.starts[index] = at;
    this.ends[index] = at + (end - start);
    this.high[index] = high;
    this.low[index] = low;
    this.#place(index);
    return index;
  }

  #sameText(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    let at = this.starts[index]!;
    if (this.ends[index]! - at !== end - start) return false;
    const { arena } = this;
    for (let i = start; i < end; i++) if (arena[at++] !== bytes[i]) return false;
    return true;
  }

  #reserve(count: number): number {
    const at = this.arenaLength;
    this.arenaLength += count;
    if (this.arenaLength > this.arena.length) {
      const grown = new Uint8Array(Math.max(this.arenaLength, this.arena.length * 2));
      grown.set(this.arena.subarray(0, at));
      this.arena = grown;
    }
    return at;
  }

  #grow(): void {
    const capacity = this.starts.length * 2;
    const larger = (column: Uint32Array): Uint32Array<ArrayBuffer> => {
      const grown = new Uint32Array(capacity);
      grown.set(column);
      return grown;
    };
    this.starts = larger(this.starts);
    this.ends = larger(this.ends);
    this.high = larger(this.high);
    this.low = larger(this.low);
    this.#slots = new Int32Array(capacity * 2).fill(-1);
    for (let index = 0; index < this.size; index++) this.#place(index);
  }

  #place(index: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.low[index]! & mask;
    while (this.#slots[slot] !== -1) slot = (slot + 1) & mask;
    this.#slots[slot] = index;
  }
}

const INITIAL = 256;
