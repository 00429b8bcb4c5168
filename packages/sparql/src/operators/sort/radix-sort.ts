/** Stable radix sort of row numbers by unsigned 32-bit columns, in slices with pauses for the event loop. */
import type { EvaluationControl } from '../../control/control.js';
import { pauseOf, type Waiting } from '../../execute/core/waiting.js';

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const SLICE_ROWS = 1 << 16;

/** Numbers to sort by, none above `greatest`. */
export interface RankColumn {
  readonly ranks: Uint32Array;
  readonly greatest: number;
  readonly descending: boolean;
}

/** The row numbers 0 … count - 1 in the order of some columns, the first one the most significant. */
export function* radixSort(
  count: number,
  columns: readonly RankColumn[],
  control: EvaluationControl,
): Waiting<Uint32Array> {
  let from = new Uint32Array(count);
  let to = new Uint32Array(count);
  for (let row = 0; row < count; row++) from[row] = row;
  const offsets = new Uint32Array(DIGITS);
  for (const column of columns.toReversed()) {
    for (let shift = 0; shift < 32 && column.greatest >>> shift !== 0; shift += DIGIT_BITS) {
      yield* pauseOf(control);
      if (!(yield* countDigits(column, count, shift, offsets, control))) continue;
      for (let start = 0; start < count; start += SLICE_ROWS) {
        scatter(from, to, column, shift, offsets, start, Math.min(start + SLICE_ROWS, count));
        yield* pauseOf(control);
      }
      [from, to] = [to, from];
    }
  }
  return from;
}

// The start of each digit; false where all rows have the same digit and the pass changes nothing.
function* countDigits(
  { ranks, descending }: RankColumn,
  count: number,
  shift: number,
  offsets: Uint32Array,
  control: EvaluationControl,
): Waiting<boolean> {
  offsets.fill(0);
  for (let start = 0; start < count; start += SLICE_ROWS) {
    countSlice(ranks, shift, offsets, start, Math.min(start + SLICE_ROWS, count));
    yield* pauseOf(control);
  }
  let sum = 0;
  for (let i = 0; i < DIGITS; i++) {
    const digit = descending ? DIGITS - 1 - i : i;
    const rows = offsets[digit]!;
    if (rows === count) return false;
    offsets[digit] = sum;
    sum += rows;
  }
  return true;
}

function countSlice(ranks: Uint32Array, shift: number, offsets: Uint32Array, start: number, end: number): void {
  for (let row = start; row < end; row++) offsets[(ranks[row]! >>> shift) & (DIGITS - 1)]!++;
}

function scatter(
  from: Uint32Array,
  to: Uint32Array,
  { ranks }: RankColumn,
  shift: number,
  offsets: Uint32Array,
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i++) {
    const row = from[i]!;
    to[offsets[(ranks[row]! >>> shift) & (DIGITS - 1)]!++] = row;
  }
}
