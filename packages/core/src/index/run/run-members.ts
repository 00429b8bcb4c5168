/** Finds out which of many sorted quads are in some runs. Decodes each block that can hold one of them once. */
import { MISS } from '../../keyspace/block-cache.js';
import type { Pacer } from '../../runtime/env.js';
import { BLOCK_ROWS } from '../../format/layout.js';
import { decodeColumn, newRowColumns } from '../block/block-codec.js';
import { SPOG } from '../orders.js';
import type { Run } from './run.js';
import type { SortedRows } from './write-orders.js';

/** Sets a bit in the marks of the rows that are in one of the runs in SPOG order. */
export async function markMembers(
  runs: readonly Run[],
  rows: SortedRows,
  marks: Uint8Array,
  bit: number,
  pacer: Pacer,
): Promise<void> {
  const window = newRowColumns(BLOCK_ROWS);
  for (const run of runs) {
    if (run.entry.order !== SPOG) continue;
    for (let row = 0; row < rows.length;) {
      const block = run.boundaryBlock(quadAt(rows, row), 4, true);
      if (block >= 0) {
        if (!decodeBlock(run, block, window)) {
          await run.cache.fetch(run.source, [block]);
          continue;
        }
        markInBlock(rows, row, window, run.table.starts[block + 1]! - run.table.starts[block]!, marks, bit);
      }
      row = firstFrom(rows, row + 1, run, block + 1);
      if (pacer.due()) await pacer.pause();
    }
  }
}

function quadAt({ columns: [s, p, o, g] }: SortedRows, row: number): number[] {
  return [s[row]!, p[row]!, o[row]!, g[row]!];
}

// Returns false if the block must be fetched first.
function decodeBlock(run: Run, block: number, window: readonly Uint32Array[]): boolean {
  const at = run.find(block);
  if (at === MISS) return false;
  for (let column = 0; column < 4; column++) {
    decodeColumn(run.cache.words, at, column, 0, run.groupsOf(block), window[column]!);
  }
  return true;
}

function markInBlock(
  { columns: [s, p, o, g], length }: SortedRows,
  first: number,
  [bs, bp, bo, bg]: readonly Uint32Array[] & RowWindow,
  count: number,
  marks: Uint8Array,
  bit: number,
): void {
  let row = first;
  for (let i = 0; i < count && row < length;) {
    const order = s[row]! - bs[i]! || p[row]! - bp[i]! || o[row]! - bo[i]! || g[row]! - bg[i]!;
    if (order === 0) marks[row]! |= bit;
    if (order <= 0) row++;
    if (order >= 0) i++;
  }
}

type RowWindow = readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array, ...Uint32Array[]];

// The first row from `start` on that is not below the first row of a block; the number of rows if there is no such
// block.
function firstFrom({ columns, length }: SortedRows, start: number, run: Run, block: number): number {
  if (block >= run.blocks) return length;
  const { fences } = run.table;
  let low = start;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    let order = 0;
    for (let i = 0; i < 4 && order === 0; i++) order = columns[i]![middle]! - fences[block * 4 + i]!;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
