/** A set of quads as sorted columns without duplicates. */
import { newRowColumns } from '../../index/block/block-codec.js';
import type { RowColumns } from '../../index/block/block-codec.js';
import type { EndedColumns } from '../../index/quad-columns.js';
import type { Pacer } from '../../runtime/env.js';
import { FOREVER, UNPUBLISHED } from '../../format/layout.js';
import type { SortedRows } from '../../index/run/write-orders.js';
import { sortedRows } from '../../runtime/radix-sort.js';
import type { IdQuads } from '../../revision/record.js';

/** Sorts quads as (s, p, o, g) and drops the duplicates. `from` is a placeholder until it is known. */
export async function sortedSet(quads: IdQuads, pacer: Pacer): Promise<SortedRows> {
  const { length, s, p, o, g } = quads;
  const rows = await sortedRows(length, [s, p, o, g], pacer);
  const columns = newRowColumns(length);
  let count = 0;
  await pacer.rows(length, (start, end) => {
    count = copyDistinct(quads, rows, start, end, columns, count);
  });
  await pacer.rows(count, (start, end) => {
    columns[4].fill(UNPUBLISHED, start, end);
    columns[5].fill(FOREVER, start, end);
  });
  return { columns, length: count };
}

/** Sorts intervals that end as (s, p, o, g); each quad is there once. */
export async function sortedEnded(quads: EndedColumns, pacer: Pacer): Promise<SortedRows> {
  const { length, s, p, o, g, from } = quads;
  const rows = await sortedRows(length, [s, p, o, g], pacer);
  const columns = newRowColumns(length);
  await pacer.rows(length, (start, end) => {
    for (const [column, values] of [s, p, o, g, from].entries()) {
      for (let i = start; i < end; i++) columns[column]![i] = values[rows[i]!]!;
    }
  });
  return { columns, length };
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
  await pacer.rows(rows.length, (start, end) => {
    length += countMarks(marks, mark, start, end);
  });
  if (length === rows.length) return rows;
  const columns = newRowColumns(length);
  if (length === 0) return { columns, length };
  for (let column = 0; column < columns.length; column++) {
    const from = rows.columns[column]!;
    const to = columns[column]!;
    let at = 0;
    await pacer.rows(rows.length, (start, end) => {
      at = copyMarked(from, marks, mark, start, end, to, at);
    });
  }
  return { columns, length };
}

function countMarks(marks: Uint8Array, mark: number, start: number, end: number): number {
  let count = 0;
  for (let i = start; i < end; i++) if (marks[i] === mark) count++;
  return count;
}

// Returns where the values so far end.
function copyMarked(
  from: Uint32Array,
  marks: Uint8Array,
  mark: number,
  start: number,
  end: number,
  to: Uint32Array,
  at: number,
): number {
  let filled = at;
  for (let i = start; i < end; i++) if (marks[i] === mark) to[filled++] = from[i]!;
  return filled;
}

export function asIdQuads(rows: SortedRows): IdQuads {
  const [s, p, o, g] = rows.columns;
  return { length: rows.length, s, p, o, g };
}
