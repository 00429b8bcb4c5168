/**
 * Stable sort of row numbers by unsigned 32-bit columns. A radix sort orders the rows by the first column;
 * comparisons by the other columns order the few rows that are equal in it. The work is cut into slices, so that a
 * million rows never hold the event loop for long.
 */
import type { Breaks } from './env.js';

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** Number of digits of a 32-bit key. */
const KEY_DIGITS = 3;
const SLICE_ROWS = 1 << 14;
/** Up to this many rows, an insertion sort is faster than a radix sort. */
const FEW_ROWS = 64;

/** Returns the row numbers 0 to `count - 1`, sorted by the columns. */
export function sortedRows(
  count: number,
  columns: readonly Uint32Array[],
  pacer: Breaks,
): Promise<Uint32Array<ArrayBuffer>> {
  return sortRows(identityRows(count), columns, pacer);
}

/**
 * Sorts row numbers by the columns, the first column being the most significant. Rows that are equal in all columns
 * keep their order. Returns `rows` itself, or another array and leaves `rows` in an undefined order.
 */
export async function sortRows(
  rows: Uint32Array<ArrayBuffer>,
  columns: readonly Uint32Array[],
  pacer: Breaks,
): Promise<Uint32Array<ArrayBuffer>> {
  const [first, ...others] = columns;
  if (first === undefined || rows.length < 2) return rows;
  if (rows.length <= FEW_ROWS) {
    insertionSort(rows, columns, 0, rows.length);
    return rows;
  }
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

/** The row numbers 0 to `count - 1`. */
export function identityRows(count: number): Uint32Array<ArrayBuffer> {
  const rows = new Uint32Array(count);
  for (let i = 0; i < count; i++) rows[i] = i;
  return rows;
}

// Subjects of most documents arrive sorted. Then this one pass replaces the sort.
function isAscending(rows: Uint32Array, values: Uint32Array): boolean {
  for (let i = 1; i < rows.length; i++) if (values[rows[i - 1]!]! > values[rows[i]!]!) return false;
  return true;
}

/** Keys and their row numbers. They move together, so that no pass reads the column at random. */
interface Pairs {
  readonly keys: Uint32Array;
  readonly rows: Uint32Array<ArrayBuffer>;
}

async function radixSort(
  rows: Uint32Array<ArrayBuffer>,
  values: Uint32Array,
  pacer: Breaks,
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

// Loops over rows are in plain functions: V8 optimises them late and badly inside async functions.
function takeKeys({ keys, rows }: Pairs, values: Uint32Array, counts: Uint32Array, start: number, end: number): void {
  for (let i = start; i < end; i++) {
    const key = values[rows[i]!]!;
    keys[i] = key;
    counts[key & (DIGITS - 1)]!++;
    counts[DIGITS + ((key >>> DIGIT_BITS) & (DIGITS - 1))]!++;
    counts[2 * DIGITS + (key >>> (2 * DIGIT_BITS))]!++;
  }
}

// Turns the count of each digit into the offset of its first row. Returns false if all rows share one digit: no row
// would move.
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

/** The end of the rows whose value equals that of the row at `at`. */
function endOfEqual(rows: Uint32Array, values: Uint32Array, at: number): number {
  const value = values[rows[at]!]!;
  let end = at + 1;
  while (end < rows.length && values[rows[end]!] === value) end++;
  return end;
}

// Sorts each group of rows that are equal in the first column, until `end` is reached. Stops before a group of more
// than FEW_ROWS and returns its start.
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
