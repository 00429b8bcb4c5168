/** A set of quads as sorted columns without duplicates. */
import { newRowColumns } from './index/block-codec.js';
import type { RowColumns } from './index/block-codec.js';
import type { Pacer } from './env.js';
import { FOREVER, UNPUBLISHED } from './format.js';
import type { SortedRows } from './index/write-orders.js';
import { greatest, identityRows, radixSort } from './radix-sort.js';
import type { IdQuads } from './revision/record.js';

const SLICE_ROWS = 1 << 16;

/** Sorts quads as (s, p, o, g) and drops the duplicates. `from` is a placeholder until it is known. */
export async function sortedSet(quads: IdQuads, pacer: Pacer): Promise<SortedRows> {
  const { length, s, p, o, g } = quads;
  const keys = [s, p, o, g].map((values) => ({ values, max: greatest(values, length) }));
  if (pacer.due()) await pacer.pause();
  const rows = await radixSort(identityRows(length), new Uint32Array(length), keys, pacer);
  const columns = newRowColumns(length);
  if (pacer.due()) await pacer.pause();
  let count = 0;
  for (let at = 0; at < length; at += SLICE_ROWS) {
    count = copyDistinct(quads, rows, at, Math.min(at + SLICE_ROWS, length), columns, count);
    if (pacer.due()) await pacer.pause();
  }
  if (pacer.due()) await pacer.pause();
  columns[4].fill(UNPUBLISHED, 0, count);
  columns[5].fill(FOREVER, 0, count);
  return { columns, length: count };
}

// Copies rows `start … end` of the sorted sequence but for those that equal the row before; returns the rows so far.
function copyDistinct(
  { s, p, o, g }: IdQuads,
  rows: Uint32Array,
  start: number,
  end: number,
  [a, b, c, d]: RowColumns,
  count: number,
): number {
  let filled = count;
  for (let i = start; i < end; i++) {
    const row = rows[i]!;
    const last = filled - 1;
    if (filled > 0 && s[row] === a[last] && p[row] === b[last] && o[row] === c[last] && g[row] === d[last]) continue;
    a[filled] = s[row]!;
    b[filled] = p[row]!;
    c[filled] = o[row]!;
    d[filled++] = g[row]!;
  }
  return filled;
}

/** The rows whose mark is `mark`, in their sequence. */
export async function selectRows(rows: SortedRows, marks: Uint8Array, mark: number, pacer: Pacer): Promise<SortedRows> {
  let length = 0;
  for (let i = 0; i < rows.length; i++) if (marks[i] === mark) length++;
  if (length === rows.length) return rows;
  const columns = newRowColumns(length);
  if (length === 0) return { columns, length };
  for (let column = 0; column < columns.length; column++) {
    const from = rows.columns[column]!;
    const to = columns[column]!;
    let at = 0;
    for (let i = 0; i < rows.length; i++) if (marks[i] === mark) to[at++] = from[i]!;
    if (pacer.due()) await pacer.pause();
  }
  return { columns, length };
}

export function asIdQuads(rows: SortedRows): IdQuads {
  const [s, p, o, g] = rows.columns;
  return { length: rows.length, s, p, o, g };
}
