/** Hash tables over tuples of ids: typed arrays only, since a Map costs ten times as much once it is large. */
import type { Memory } from '../../control/memory.js';
import { CELLS_AT_ONCE, FIRST_ROWS, grown } from '../core/batch.js';
import { pauseOf, type Pauses, type Waiting } from '../core/waiting.js';
import { HASH_SEED } from './hash-seed.js';

/** Keys and slots of so many lie in V8's heap, where arrays are cheap to make. */
const FIRST_KEYS = 8;
const NEXT_KEYS = 64;
const EMPTY = -1;
/** With so many tuples the slots are divided into parts: growing one part is short, growing all would block the event loop. */
const SPLIT_ROWS = 8192;
const PARTS_BITS = 7;

/** Slots of a hash table: numbers of tuples. */
interface Part {
  slots: Int32Array;
  used: number;
}

const newPart = (slots: number): Part => ({ slots: new Int32Array(slots).fill(EMPTY), used: 0 });

/** Distinct tuples of a fixed width, numbered in the order of their first insertion. */
export class IdTable {
  readonly width: number;
  /** `keys[i][n]` is place i of tuple n. */
  keys: Uint32Array[];
  /** Tuples so far. */
  size = 0;
  #parts: Part[] = [newPart(FIRST_KEYS * 2)];
  /** Shifts a hash to the number of its part. */
  #partShift = 32;
  #capacity = FIRST_KEYS;
  #slots = FIRST_KEYS * 2;
  #bytes = 0;

  constructor(
    width: number,
    private readonly memory: Memory,
  ) {
    this.width = width;
    this.keys = Array.from({ length: width }, () => new Uint32Array(FIRST_KEYS));
    this.#account();
  }

  /** As {@link insert}, for tuples of one id. */
  #insertId(id: number): number {
    if (this.size === this.#capacity) this.#growKeys();
    const keys = this.keys[0]!;
    const hash = hashId(id);
    const part = this.#partOf(hash);
    const { slots } = part;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let found = slots[slot]!; found !== EMPTY; found = slots[slot]!) {
      if (keys[found] === id) return found;
      slot = (slot + 1) & mask;
    }
    slots[slot] = this.size;
    keys[this.size++] = id;
    if (++part.used * 2 > slots.length) this.#growPart(part);
    return this.size - 1;
  }

  /** As {@link find}, for tuples of one id. */
  #findId(id: number): number {
    const keys = this.keys[0]!;
    const hash = hashId(id);
    const { slots } = this.#partOf(hash);
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let found = slots[slot]!; found !== EMPTY; found = slots[slot]!) {
      if (keys[found] === id) return found;
      slot = (slot + 1) & mask;
    }
    return EMPTY;
  }

  /** The number of the tuple at a row of some columns; {@link size} before the call if it is new and was put in. */
  insert(columns: readonly Uint32Array[], row: number): number {
    if (this.width === 1) return this.#insertId(columns[0]![row]!);
    if (this.size === this.#capacity) this.#growKeys();
    const hash = hashRow(columns, this.width, row);
    const part = this.#partOf(hash);
    const { slots } = part;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let found = slots[slot]!; found !== EMPTY; found = slots[slot]!) {
      if (this.#equals(found, columns, row)) return found;
      slot = (slot + 1) & mask;
    }
    slots[slot] = this.size;
    for (let i = 0; i < this.width; i++) this.keys[i]![this.size] = columns[i]![row]!;
    this.size++;
    if (++part.used * 2 > slots.length) this.#growPart(part);
    return this.size - 1;
  }

  /** The number of a tuple, or -1. */
  find(columns: readonly Uint32Array[], row: number): number {
    if (this.width === 1) return this.#findId(columns[0]![row]!);
    const hash = hashRow(columns, this.width, row);
    const { slots } = this.#partOf(hash);
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const found = slots[slot]!;
      if (found === EMPTY || this.#equals(found, columns, row)) return found;
      slot = (slot + 1) & mask;
    }
  }

  #partOf(hash: number): Part {
    return this.#partShift === 32 ? this.#parts[0]! : this.#parts[hash >>> this.#partShift]!;
  }

  #equals(index: number, columns: readonly Uint32Array[], row: number): boolean {
    for (let i = 0; i < this.width; i++) if (this.keys[i]![index] !== columns[i]![row]) return false;
    return true;
  }

  #growKeys(): void {
    this.#capacity = Math.max(this.#capacity * 2, NEXT_KEYS);
    this.#account();
    for (let i = 0; i < this.width; i++) this.keys[i] = grown(this.keys[i]!, this.#capacity, this.size);
  }

  /** Makes room for so many more tuples where a large table has to grow for them: the event loop has its turns then. */
  *makeRoom(tuples: number, control: Pauses): Waiting<void> {
    if (this.size * this.width < CELLS_AT_ONCE || this.size + tuples <= this.#capacity) return;
    this.#capacity = Math.max(this.size + tuples, this.#capacity * 2);
    this.#account();
    yield* growAll(this.keys, this.size, this.#capacity, control);
  }

  #growPart(part: Part): void {
    if (this.#parts.length === 1 && part.used >= SPLIT_ROWS) return this.#split();
    const { slots } = part;
    const wanted = Math.max(slots.length, NEXT_KEYS) * 2;
    this.#slots += wanted - slots.length;
    this.#account();
    part.slots = new Int32Array(wanted).fill(EMPTY);
    for (const index of slots) if (index !== EMPTY) this.#place(part.slots, index);
  }

  #split(): void {
    const count = 1 << PARTS_BITS;
    const perPart = (SPLIT_ROWS * 4) / count;
    this.#slots = perPart * count;
    this.#account();
    this.#parts = Array.from({ length: count }, () => newPart(perPart));
    this.#partShift = 32 - PARTS_BITS;
    for (let index = 0; index < this.size; index++) {
      const part = this.#partOf(hashRow(this.keys, this.width, index));
      this.#place(part.slots, index);
      part.used++;
    }
  }

  #place(slots: Int32Array, index: number): void {
    const mask = slots.length - 1;
    let slot = hashRow(this.keys, this.width, index) & mask;
    while (slots[slot] !== EMPTY) slot = (slot + 1) & mask;
    slots[slot] = index;
  }

  // While a table grows, the old and the new one count.
  #account(): void {
    const bytes = this.#capacity * this.width * 4 + this.#slots * 4;
    this.memory.reserve(bytes);
    this.memory.release(this.#bytes);
    this.#bytes = bytes;
  }

  free(): void {
    this.memory.release(this.#bytes);
    this.#bytes = 0;
  }
}

/** Columns are copied one after the other. */
function* growAll(columns: Uint32Array[], rows: number, capacity: number, control: Pauses): Waiting<void> {
  let cells = 0;
  for (let i = 0; i < columns.length; i++) {
    columns[i] = grown(columns[i]!, capacity, rows);
    cells += capacity;
    if (cells < CELLS_AT_ONCE) continue;
    cells = 0;
    yield* pauseOf(control);
  }
}

/** As {@link hashRow}, of one id. */
function hashId(id: number): number {
  const hash = Math.imul(HASH_SEED ^ id, 0x9e37_79b1) ^ (HASH_SEED >>> 15);
  return Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b) ^ (hash >>> 13);
}

// The last step spreads what the columns differ in over all bits: the high ones choose the part, the low ones the slot.
function hashRow(columns: readonly Uint32Array[], width: number, row: number): number {
  let hash = HASH_SEED;
  for (let i = 0; i < width; i++) hash = Math.imul(hash ^ columns[i]![row]!, 0x9e37_79b1) ^ (hash >>> 15);
  return Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b) ^ (hash >>> 13);
}

/** The memory of a column apart from its rows, in bytes. It counts only in tables of many columns. */
const COLUMN_BYTES = 128;
const FEW_COLUMNS = 32;
const FIRST_ROWS_OF_MANY = 4;

/** Rows that are kept in columns, as many as come. */
export class RowStore {
  columns: Uint32Array[];
  length = 0;
  #capacity: number;
  #bytes = 0;

  constructor(
    readonly width: number,
    private readonly memory: Memory,
  ) {
    this.#capacity = width > FEW_COLUMNS ? FIRST_ROWS_OF_MANY : FIRST_ROWS;
    this.#account();
    this.columns = Array.from({ length: width }, () => new Uint32Array(this.#capacity));
  }

  /** As {@link append}; the event loop has its turns. */
  *add(columns: readonly Uint32Array[], rows: number, control: Pauses): Waiting<void> {
    if (this.#setCapacity(rows)) {
      yield* growAll(this.columns, this.length, this.#capacity, control);
    }
    this.append(columns, rows);
  }

  append(columns: readonly Uint32Array[], rows: number): void {
    this.reserve(rows);
    for (let i = 0; i < this.width; i++) this.columns[i]!.set(columns[i]!.subarray(0, rows), this.length);
    this.length += rows;
  }

  /** Makes room for `rows` more. */
  reserve(rows: number): void {
    if (!this.#setCapacity(rows)) return;
    for (let i = 0; i < this.width; i++) this.columns[i] = grown(this.columns[i]!, this.#capacity, this.length);
  }

  #setCapacity(rows: number): boolean {
    const wanted = this.length + rows;
    if (wanted <= this.#capacity) return false;
    this.#capacity = Math.max(wanted, this.#capacity * 2);
    this.#account();
    return true;
  }

  #account(): void {
    const bytes = this.#capacity * this.width * 4 + (this.width > FEW_COLUMNS ? this.width * COLUMN_BYTES : 0);
    this.memory.reserve(bytes);
    this.memory.release(this.#bytes);
    this.#bytes = bytes;
  }

  free(): void {
    this.memory.release(this.#bytes);
    this.#bytes = 0;
  }
}
