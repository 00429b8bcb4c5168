/**
 * A hash table of row numbers that finds the latest row of a quad in append-only columns. Every step is short,
 * whatever the number of rows: a larger table is filled a few slots at a time.
 */
import { hashIds } from '../../runtime/id-hash.js';
import type { RowColumns } from '../block/block-codec.js';

const FIRST_SLOTS = 64;
/** Slots of the smaller table that are moved with each added row. */
const MOVED_AT_ONCE = 8;

export class QuadIndex {
  /** Each slot holds a row number plus 1, or 0 if it is free. */
  #slots = new Int32Array(FIRST_SLOTS);
  #used = 0;
  /** The smaller table, until all its rows have moved to `#slots`. */
  #old: Int32Array | undefined;
  #moved = 0;

  /** The latest row of a quad, or -1. */
  find(columns: RowColumns, s: number, p: number, o: number, g: number): number {
    const row = this.#slots[slotOf(this.#slots, columns, s, p, o, g)]! - 1;
    if (row !== -1 || this.#old === undefined) return row;
    return this.#old[slotOf(this.#old, columns, s, p, o, g)]! - 1;
  }

  /** Makes a row the latest one of its quad. */
  set(columns: RowColumns, row: number): void {
    if (this.#old !== undefined) this.#moveSome(columns);
    else if (this.#used * 2 >= this.#slots.length) this.#grow();
    this.#put(columns, row, true);
  }

  #put(columns: RowColumns, row: number, latest: boolean): void {
    const slots = this.#slots;
    const slot = slotOf(slots, columns, columns[0][row]!, columns[1][row]!, columns[2][row]!, columns[3][row]!);
    if (slots[slot] === 0) this.#used++;
    else if (!latest) return;
    slots[slot] = row + 1;
  }

  #grow(): void {
    this.#old = this.#slots;
    this.#moved = 0;
    this.#slots = new Int32Array(this.#old.length * 2);
    this.#used = 0;
  }

  #moveSome(columns: RowColumns): void {
    const old = this.#old!;
    const end = Math.min(old.length, this.#moved + MOVED_AT_ONCE);
    for (let slot = this.#moved; slot < end; slot++) if (old[slot] !== 0) this.#put(columns, old[slot]! - 1, false);
    this.#moved = end;
    if (end === old.length) this.#old = undefined;
  }
}

// The slot that holds the quad, or the free slot where it would go.
function slotOf(slots: Int32Array, [cs, cp, co, cg]: RowColumns, s: number, p: number, o: number, g: number): number {
  const mask = slots.length - 1;
  for (let slot = hashIds(s, p, o, g) & mask; ; slot = (slot + 1) & mask) {
    const row = slots[slot]! - 1;
    if (row === -1 || (cs[row] === s && co[row] === o && cp[row] === p && cg[row] === g)) return slot;
  }
}
