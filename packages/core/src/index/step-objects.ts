/** Cuts the quads of a predicate into parts by their objects, from what memory holds of the indexes alone. */
import type { IndexVersion } from './index-version.js';
import { POSG } from './orders.js';
import type { Run } from './run/run.js';
import type { RowTable } from './memtable/row-table.js';

/** The rows of a block, about. */
const BLOCK_ROWS = 2048;
/** The predicate and the object. */
const PREFIX = 2;

/** Where a part begins, about how many rows it has, and in which direction it goes on. */
export interface ObjectStep {
  readonly predicate: number;
  readonly from: number;
  readonly rows: number;
  readonly descending: boolean;
}

/**
 * The object at which a part ends that begins at `from`, both included. About as many rows as are asked for lie between them, or more
 * where one object has more. Rows that were removed count too. `undefined`: no more rows than that are left. It reads no block.
 */
export function stepObjects(index: IndexVersion, step: ObjectStep): number | undefined {
  let nearest: number | undefined;
  const add = (object: number | undefined): void => {
    if (object === undefined) return;
    if (nearest === undefined || (step.descending ? object > nearest : object < nearest)) nearest = object;
  };
  for (const { index: layer } of index.layers(0)) {
    for (const run of layer.runsOf(POSG)) if (run.entry.kind !== 'tombstone') add(stepInRun(run, step));
    for (const { added } of layer.memtables) {
      if (added.rows > 0) for (const segment of added.segments(POSG)) add(stepInSegment(added, segment, step));
    }
  }
  return nearest;
}

// Fences are the first rows of blocks.
function stepInRun(run: Run, { predicate, from, rows, descending }: ObjectStep): number | undefined {
  const blocks = Math.max(1, Math.round(rows / BLOCK_ROWS));
  const { fences } = run.table;
  const here = run.boundaryBlock([predicate, from], PREFIX, descending);
  // Of a block that begins with another predicate perhaps no row counts.
  const whole = here >= 0 && fences[here * 4] === predicate ? 0 : 1;
  const block = descending ? here - blocks + 1 : here + blocks + whole;
  if (block < 0 || block >= run.blocks || fences[block * 4] !== predicate) return undefined;
  const object = fences[block * 4 + 1]!;
  return descending ? object : Math.max(object - 1, from);
}

function stepInSegment(
  table: RowTable,
  segment: Uint32Array,
  { predicate, from, rows, descending }: ObjectStep,
): number | undefined {
  const here = table.locate(POSG, segment, [predicate, from], PREFIX, descending);
  const at = descending ? here - rows : here + rows - 1;
  const row = segment[at];
  if (row === undefined) return undefined;
  const [, p, o] = table.columns;
  return p[row] === predicate ? o[row] : undefined;
}
