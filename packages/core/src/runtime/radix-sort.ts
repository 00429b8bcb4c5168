/**
 * Stable sort of row numbers by unsigned 32-bit columns, cut into slices so that a million rows never hold the event
 * loop for long: a radix sort by the first column, then the few rows that are equal in it by comparing the others.
 */
import type { Pacer } from './env.js';

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** Digits of a key. */
const KEY_DIGITS = 3;
const SLICE_ROWS = 1 << 14;
/** So few rows are sorted faster by comparing them. */
const FEW_ROWS = 64;

/** Row numbers 0 … count - 1, sorted. */
export function sortedRows(
  count: number,
  columns: readonly Uint32Array[],
  pacer: Pacer,
): Promise<Uint32Array<ArrayBuffer>> {
  return sortRows(identityRows(count), columns, pacer);
}

/**
 * Sorts `rows` by the columns, the first one the most significant. Rows that are equal keep their order. The answer is
 * `rows` itself or an array that takes its place.
 */
export async function sortRows(
  rows: Uint32Array<ArrayBuffer>,
  columns: readonly Uint32Array[],
  pacer: Pacer,
): Promise<Uint32Array<ArrayBuffer>> {
  const [first, ...others] = columns;
  if (first === undefined || rows.length < 2) return rows;
  const sorted = isAscending(rows, first) ? rows : await radixSort(rows, first, pacer);
  if (others.length === 0) return sorted;
  for (let at = 0; at < sorted.length;) {
    const end = Math.min(at + SLICE_ROWS, sorted.length);
    at = sortFew(sorted, first, others, at, end);
    if (pacer.due()) await pacer.pause();
    if (at >= end) continue;
    const many = sorted.subarray(at, endOfEqual(sorted, first, at));
    const result = await sortRows(many, others, pacer);
    if (result !== many) many.set(result);
    at += many.length;
  }
  return sorted;
}

/** Row numbers 0 … count - 1. */
export function identityRows(count: number): Uint32Array<ArrayBuffer> {
  const rows = new Uint32Array(count);
  for (let i = 0; i < count; i++) rows[i] = i;
  return rows;
}

// What is sorted already, as subjects of most documents are, costs no more than this look.
function isAscending(rows: Uint32Array, values: Uint32Array): boolean {
  for (let i = 1; i < rows.length; i++) if (values[rows[i - 1]!]! > values[rows[i]!]!) return false;
  return true;
}

/** Keys and the rows that they belong to: they move together, so that no pass looks up values here and there. */
interface Pairs {
  readonly keys: Uint32Array;
  readonly rows: Uint32Array<ArrayBuffer>;
}

async function radixSort(
  rows: Uint32Array<ArrayBuffer>,
  values: Uint32Array,
  pacer: Pacer,
): Promise<Uint32Array<ArrayBuffer>> {
  const { length } = rows;
  let from: Pairs = { keys: new Uint32Array(length), rows };
  let to: Pairs = { keys: new Uint32Array(length), rows: new Uint32Array(length) };
  const counts = new Uint32Array(KEY_DIGITS * DIGITS);
  for (let at = 0; at < length; at += SLICE_ROWS) {
    takeKeys(from, values, counts, at, Math.min(at + SLICE_ROWS, length));
    if (pacer.due()) await pacer.pause();
  }
  for (let digit = 0; digit < KEY_DIGITS; digit++) {
    const offsets = counts.subarray(digit * DIGITS, (digit + 1) * DIGITS);
    if (!toOffsets(offsets, length)) continue;
    for (let at = 0; at < length; at += SLICE_ROWS) {
      scatter(from, to, digit * DIGIT_BITS, offsets, at, Math.min(at + SLICE_ROWS, length));
      if (pacer.due()) await pacer.pause();
    }
    [from, to] = [to, from];
  }
  return from.rows;
}

// Loops over rows stand in plain functions: inside asynchronous ones they are compiled late and badly.
function takeKeys({ keys, rows }: Pairs, values: Uint32Array, counts: Uint32Array, start: number, end: number): void {
  for (let i = start; i < end; i++) {
    const key = values[rows[i]!]!;
    keys[i] = key;
    counts[key & (DIGITS - 1)]!++;
    counts[DIGITS + ((key >>> DIGIT_BITS) & (DIGITS - 1))]!++;
    counts[2 * DIGITS + (key >>> (2 * DIGIT_BITS))]!++;
  }
}

// How often each digit occurs becomes where its rows begin; false where all rows share one, so that nothing would move.
function toOffsets(counts: Uint32Array, rows: number): boolean {
  let sum = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = counts[digit]!;
    if (count === rows) return false;
    counts[digit] = sum;
    sum += count;
  }
  return true;
}

function scatter(from: Pairs, to: Pairs, shift: number, offsets: Uint32Array, start: number, end: number): void {
  const { keys, rows } = from;
  const { keys: toKeys, rows: toRows } = to;
  for (let i = start; i < end; i++) {
    const key = keys[i]!;
    const at = offsets[(key >>> shift) & (DIGITS - 1)]!++;
    toKeys[at] = key;
    toRows[at] = rows[i]!;
  }
}

/** The end of the rows that are equal to the one at `at`. */
function endOfEqual(rows: Uint32Array, values: Uint32Array, at: number): number {
  const value = values[rows[at]!]!;
  let end = at + 1;
  while (end < rows.length && values[rows[end]!] === value) end++;
  return end;
}

// Sorts rows that are equal by the first column, up to `end` or beyond; stops before many that are.
function sortFew(
  rows: Uint32Array,
  first: Uint32Array,
  others: readonly Uint32Array[],
  start: number,
  end: number,
): number {
  for (let at = start; at < end;) {
    const next = endOfEqual(rows, first, at);
    if (next - at > FEW_ROWS) return at;
    if (next - at > 1) insertionSort(rows, others, at, next);
    at = next;
    if (at >= end) return at;
  }
  return end;
}

function insertionSort(rows: Uint32Array, columns: readonly Uint32Array[], start: number, end: number): void {
  for (let i = start + 1; i < end; i++) {
    const row = rows[i]!;
    let at = i;
    for (; at > start && isLess(row, rows[at - 1]!, columns); at--) rows[at] = rows[at - 1]!;
    rows[at] = row;
  }
}

function isLess(x: number, y: number, columns: readonly Uint32Array[]): boolean {
  for (let column = 0; column < columns.length; column++) {
    const values = columns[column]!;
    if (values[x] !== values[y]) return values[x]! < values[y]!;
  }
  return false;
}
