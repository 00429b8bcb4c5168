/** Sorts sets of quads and removes duplicates. */
import type { IdQuads } from '../../index/quad-columns.js';
import { newRowColumns } from '../../index/block/block-codec.js';
import type { RowColumns } from '../../index/block/block-codec.js';
import type { EndedColumns } from '../../index/quad-columns.js';
import { QuadColumns } from '../../index/quad-columns.js';
import type { Pacer } from '../../runtime/env.js';
import { FOREVER, UNPUBLISHED } from '../../format/layout.js';
import type { SortedRows } from '../../index/run/write-orders.js';
import { sortedRows } from '../../runtime/radix-sort.js';

/** Sorts quads as (s, p, o, g) and drops duplicates. Sets `from` to a placeholder, which is replaced later. */
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

/** The rows of a sorted set that are not in another sorted set. */
export async function withoutRows(quads: IdQuads, others: IdQuads, pacer: Pacer): Promise<IdQuads> {
  if (quads.length === 0 || others.length === 0) return quads;
  const rest = new QuadColumns();
  let other = 0;
  await pacer.rows(quads.length, (start, end) => {
    for (let i = start; i < end; i++) {
      while (other < others.length && compareQuads(others, other, quads, i) < 0) other++;
      if (other < others.length && compareQuads(others, other, quads, i) === 0) continue;
      rest.push(quads.s[i]!, quads.p[i]!, quads.o[i]!, quads.g[i]!);
    }
  });
  return rest;
}

function compareQuads(x: IdQuads, i: number, y: IdQuads, j: number): number {
  return x.s[i]! - y.s[j]! || x.p[i]! - y.p[j]! || x.o[i]! - y.o[j]! || x.g[i]! - y.g[j]!;
}

/** Sorts ended intervals as (s, p, o, g). Each quad must occur once. */
export async function sortedEnded({ length, s, p, o, g, from }: EndedColumns, pacer: Pacer): Promise<SortedRows> {
  const rows = { columns: [s, p, o, g, from, new Uint32Array(length)] as const, length };
  return inSequence(rows, await sortedRows(length, [s, p, o, g], pacer), pacer);
}

/** Copies rows in the given sequence. */
export async function inSequence(
  { columns, length }: SortedRows,
  sequence: Uint32Array,
  pacer: Pacer,
): Promise<SortedRows> {
  const sorted = newRowColumns(length);
  for (let column = 0; column < columns.length; column++) {
    const from = columns[column]!;
    const to = sorted[column]!;
    await pacer.rows(length, (start, end) => {
      for (let i = start; i < end; i++) to[i] = from[sequence[i]!]!;
    });
  }
  return { columns: sorted, length };
}

// Copies rows `start` to `end` of the sorted sequence, without those that equal the row before. Returns the new
// number of rows.
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

// Copies the marked values. Returns the new end of `to`.
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
