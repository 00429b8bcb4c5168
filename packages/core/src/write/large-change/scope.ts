/** The rest of a scope: the base quads that a replacing change removes, because they are not in its input. */
import type { AccessPath, IdPattern } from '../../index/orders.js';
import { accessPath, pathInOrder, SPOG } from '../../index/orders.js';
import { newRowColumns } from '../../index/block/block-codec.js';
import { ArraySource } from '../../index/read/array-source.js';
import { batches, wholeRun } from '../../index/read/batches.js';
import type { RowBatch } from '../../index/read/merge-scan.js';
import type { RowSource } from '../../index/read/row-source.js';
import type { SortedRows } from '../../index/run/write-orders.js';
import { sortedRows } from '../../runtime/radix-sort.js';
import type { ChangeJob } from './change-job.js';
import { inSequence } from './sorted-quads.js';
import type { WrittenAside } from './write-aside.js';
import { writeKnownRemoved } from './write-aside.js';

/** The rest of a scope, with intervals, in parts. A part is valid until the next one. `kept` are rows that stay. */
export async function* restOfScope(job: ChangeJob, scope: IdPattern, kept: SortedRows): AsyncGenerator<SortedRows> {
  const sources = kept.length === 0 ? [] : [new ArraySource(kept)];
  const path = pathOf(scope, sources);
  for await (const batch of scanRest(job, scope, path, sources)) yield inQuadOrder(batch, path);
}

/** Writes tombstones for the rest of a scope aside. The runs of kept rows tell which rows stay. */
export async function writeRestOfScope(job: ChangeJob, before: WrittenAside, scope: IdPattern): Promise<WrittenAside> {
  const kept = before.kept.flatMap(({ runs }) => runs);
  const sources = kept.map(wholeRun);
  const path = pathOf(scope, sources);
  const { chunkRows } = job.timeline.keyspace.tuning;
  let written = before;
  let chunk = newChunk(chunkRows);
  for await (const batch of scanRest(job, scope, path, sources)) {
    const rows = inQuadOrder(batch, path);
    for (let at = 0; at < rows.length;) {
      const count = Math.min(rows.length - at, chunkRows - chunk.length);
      copy(rows, at, count, chunk);
      at += count;
      if (chunk.length < chunkRows) continue;
      written = await writeKnownRemoved(job, written, await sorted(job, chunk, path));
      chunk = newChunk(chunkRows);
    }
  }
  return writeKnownRemoved(job, written, await sorted(job, chunk, path));
}

function scanRest(
  { base, pacer }: ChangeJob,
  scope: IdPattern,
  path: AccessPath,
  kept: readonly RowSource[],
): AsyncGenerator<RowBatch> {
  return batches(base.index.scan(scope, base.number, path, true, kept), pacer);
}

// Kept rows are sorted as (s, p, o, g), so a scan that is compared with them needs the same order.
function pathOf(scope: IdPattern, kept: readonly RowSource[]): AccessPath {
  return kept.length === 0 ? accessPath(scope) : pathInOrder('spog', scope);
}

/** The rows of a batch as (s, p, o, g), in the sequence of the path. They share its memory. */
export function inQuadOrder({ columns, start, end }: RowBatch, { order }: AccessPath): SortedRows {
  const place = (position: number): Uint32Array => columns[order.places[position]!]!.subarray(start, end);
  const revisions = [columns[4].subarray(start, end), columns[5].subarray(start, end)] as const;
  return { columns: [place(0), place(1), place(2), place(3), ...revisions], length: end - start };
}

interface Chunk {
  readonly columns: SortedRows['columns'];
  length: number;
}

const newChunk = (rows: number): Chunk => ({ columns: newRowColumns(rows), length: 0 });

function copy(rows: SortedRows, at: number, count: number, chunk: Chunk): void {
  for (let column = 0; column < 5; column++)
    chunk.columns[column]!.set(rows.columns[column]!.subarray(at, at + count), chunk.length);
  chunk.length += count;
}

async function sorted({ pacer }: ChangeJob, chunk: Chunk, { order }: AccessPath): Promise<SortedRows> {
  if (order === SPOG || chunk.length < 2) return chunk;
  return inSequence(chunk, await sortedRows(chunk.length, chunk.columns.slice(0, 4), pacer), pacer);
}
