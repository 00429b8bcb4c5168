/** A set of quads as sorted columns without duplicates. */
import { newRowColumns } from './index/block-codec.js';
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
  const rows = await radixSort(identityRows(length), new Uint32Array(length), keys, pacer);
  const columns = newRowColumns(length);
  let count = 0;
  let last = -1;
  for (let i = 0; i < length; i++) {
    const row = rows[i]!;
    if (last !== -1 && s[row] === s[last] && p[row] === p[last] && o[row] === o[last] && g[row] === g[last]) continue;
    last = row;
    columns[0][count] = s[row]!;
    columns[1][count] = p[row]!;
    columns[2][count] = o[row]!;
    columns[3][count] = g[row]!;
    count++;
    if (i % SLICE_ROWS === 0 && pacer.due()) await pacer.pause();
  }
  columns[4].fill(UNPUBLISHED, 0, count);
  columns[5].fill(FOREVER, 0, count);
  return { columns, length: count };
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
