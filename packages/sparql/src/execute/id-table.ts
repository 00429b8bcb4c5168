/** Hash tables over tuples of ids: typed arrays only, since a Map costs ten times as much once it is large. */
import type { Memory } from './memory.js';

const FIRST_ROWS = 64;
const EMPTY = -1;

/** Distinct tuples of a fixed width, numbered in the order of their first coming. */
export class IdTable {
  readonly width: number;
  /** `keys[i][n]` is place i of tuple n. */
  keys: Uint32Array[];
  /** Tuples so far. */
  size = 0;
  #slots = new Int32Array(FIRST_ROWS * 2).fill(EMPTY);
  #capacity = FIRST_ROWS;
  #bytes = 0;

  constructor(
    width: number,
    private readonly memory: Memory,
  ) {
    this.width = width;
    this.keys = Array.from({ length: width }, () => new Uint32Array(FIRST_ROWS));
    this.#account();
  }

  /** The number of the tuple at a row of some columns; {@link size} before the call if it is new and was put in. */
  insert(columns: readonly Uint32Array[], row: number): number {
    if (this.size === this.#capacity) this.#grow();
    const mask = this.#slots.length - 1;
    let slot = hashRow(columns, this.width, row) & mask;
    for (;;) {
      const found = this.#slots[slot]!;
      if (found === EMPTY) {
        this.#slots[slot] = this.size;
        for (let i = 0; i < this.width; i++) this.keys[i]![this.size] = columns[i]![row]!;
        return this.size++;
      }
      if (this.#equals(found, columns, row)) return found;
      slot = (slot + 1) & mask;
    }
  }

  /** The number of a tuple, or -1. */
  find(columns: readonly Uint32Array[], row: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashRow(columns, this.width, row) & mask;
    for (;;) {
      const found = this.#slots[slot]!;
      if (found === EMPTY || this.#equals(found, columns, row)) return found;
      slot = (slot + 1) & mask;
    }
  }

  #equals(index: number, columns: readonly Uint32Array[], row: number): boolean {
    for (let i = 0; i < this.width; i++) if (this.keys[i]![index] !== columns[i]![row]) return false;
    return true;
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#account();
    for (let i = 0; i < this.width; i++) {
      const grown = new Uint32Array(this.#capacity);
      grown.set(this.keys[i]!);
      this.keys[i] = grown;
    }
    const slots = new Int32Array(this.#capacity * 2).fill(EMPTY);
    const mask = slots.length - 1;
    for (let index = 0; index < this.size; index++) {
      let slot = hashRow(this.keys, this.width, index) & mask;
      while (slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      slots[slot] = index;
    }
    this.#slots = slots;
  }

  // What it has now, and for a moment what it had before.
  #account(): void {
    const bytes = this.#capacity * (this.width * 4 + 8);
    this.memory.reserve(bytes);
    this.memory.release(this.#bytes);
    this.#bytes = bytes;
  }

  free(): void {
    this.memory.release(this.#bytes);
    this.#bytes = 0;
  }
}

function hashRow(columns: readonly Uint32Array[], width: number, row: number): number {
  let hash = 0;
  for (let i = 0; i < width; i++) hash = Math.imul(hash ^ columns[i]![row]!, 0x9e37_79b1) ^ (hash >>> 15);
  return hash ^ (hash >>> 16);
}

/** Rows that are kept in columns, as many as come. */
export class RowStore {
  columns: Uint32Array[];
  length = 0;
  #capacity = FIRST_ROWS;
  #bytes = 0;

  constructor(
    readonly width: number,
    private readonly memory: Memory,
  ) {
    this.columns = Array.from({ length: width }, () => new Uint32Array(FIRST_ROWS));
    this.#account();
  }

  append(columns: readonly Uint32Array[], rows: number): void {
    this.reserve(rows);
    for (let i = 0; i < this.width; i++) this.columns[i]!.set(columns[i]!.subarray(0, rows), this.length);
    this.length += rows;
  }

  /** Makes room for `rows` more. */
  reserve(rows: number): void {
    const wanted = this.length + rows;
    if (wanted <= this.#capacity) return;
    this.#capacity = Math.max(wanted, this.#capacity * 2);
    this.#account();
    for (let i = 0; i < this.width; i++) {
      const grown = new Uint32Array(this.#capacity);
      grown.set(this.columns[i]!.subarray(0, this.length));
      this.columns[i] = grown;
    }
  }

  #account(): void {
    const bytes = this.#capacity * this.width * 4;
    this.memory.reserve(bytes);
    this.memory.release(this.#bytes);
    this.#bytes = bytes;
  }

  free(): void {
    this.memory.release(this.#bytes);
    this.#bytes = 0;
  }
}
