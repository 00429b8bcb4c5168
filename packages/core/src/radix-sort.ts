/**
 * Stable radix sort of row numbers by unsigned 32-bit columns, cut into slices so that a million rows never hold the
 * event loop for long.
 */
import type { Pacer } from './env.js';

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const SLICE_ROWS = 1 << 14;

/** A column to sort by; `max` is its greatest value, which saves passes over high digits that are all zero. */
export interface SortColumn {
  readonly values: Uint32Array;
  readonly max: number;
}

/**
 * Sorts `rows` by the columns, the first one the most significant. Rows that are equal keep their order. The answer is
 * `rows` itself or `spare`, which must be as long.
 */
export async function radixSort(
  rows: Uint32Array<ArrayBuffer>,
  spare: Uint32Array<ArrayBuffer>,
  columns: readonly SortColumn[],
  pacer: Pacer,
): Promise<Uint32Array<ArrayBuffer>> {
  let from = rows;
  let to = spare;
  // How often a digit occurs does not depend on the sequence: all rows are counted where they stand, without jumping.
  const whole = isIdentity(rows);
  const offsets = new Uint32Array(DIGITS);
  for (let column = columns.length - 1; column >= 0; column--) {
    const { values, max } = columns[column]!;
    for (let shift = 0; shift < 32 && max >>> shift !== 0; shift += DIGIT_BITS) {
      if (!(await countDigits(from, whole, values, shift, offsets, pacer))) continue;
      for (let at = 0; at < from.length; at += SLICE_ROWS) {
        scatter(from, to, values, shift, offsets, at, Math.min(at + SLICE_ROWS, from.length));
        if (pacer.due()) await pacer.pause();
      }
      [from, to] = [to, from];
    }
  }
  return from;
}

// False where all rows share one digit, so that the pass would change nothing.
async function countDigits(
  rows: Uint32Array,
  whole: boolean,
  values: Uint32Array,
  shift: number,
  offsets: Uint32Array,
  pacer: Pacer,
): Promise<boolean> {
  offsets.fill(0);
  for (let at = 0; at < rows.length; at += SLICE_ROWS) {
    const end = Math.min(at + SLICE_ROWS, rows.length);
    if (whole) countHere(values, shift, offsets, at, end);
    else countThere(rows, values, shift, offsets, at, end);
    if (pacer.due()) await pacer.pause();
  }
  let sum = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = offsets[digit]!;
    if (count === rows.length) return false;
    offsets[digit] = sum;
    sum += count;
  }
  return true;
}

// Loops over rows stand in plain functions: inside asynchronous ones they are compiled late and badly.
function countHere(values: Uint32Array, shift: number, offsets: Uint32Array, start: number, end: number): void {
  for (let i = start; i < end; i++) offsets[(values[i]! >>> shift) & (DIGITS - 1)]!++;
}

function countThere(
  rows: Uint32Array,
  values: Uint32Array,
  shift: number,
  offsets: Uint32Array,
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i++) offsets[(values[rows[i]!]! >>> shift) & (DIGITS - 1)]!++;
}

function scatter(
  from: Uint32Array,
  to: Uint32Array,
  values: Uint32Array,
  shift: number,
  offsets: Uint32Array,
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i++) {
    const row = from[i]!;
    const digit = (values[row]! >>> shift) & (DIGITS - 1);
    to[offsets[digit]!++] = row;
  }
}

/** Row numbers 0 … count - 1, sorted. */
export async function sortedRows(
  count: number,
  columns: readonly SortColumn[],
  pacer: Pacer,
): Promise<Uint32Array<ArrayBuffer>> {
  const rows = identityRows(count);
  if (pacer.due()) await pacer.pause();
  return radixSort(rows, new Uint32Array(count), columns, pacer);
}

function isIdentity(rows: Uint32Array): boolean {
  for (let i = 0; i < rows.length; i++) if (rows[i] !== i) return false;
  return true;
}

/** Row numbers 0 … count - 1. */
export function identityRows(count: number): Uint32Array<ArrayBuffer> {
  const rows = new Uint32Array(count);
  for (let i = 0; i < count; i++) rows[i] = i;
  return rows;
}

export function greatest(values: Uint32Array, count: number): number {
  let max = 0;
  for (let i = 0; i < count; i++) if (values[i]! > max) max = values[i]!;
  return max;
}
