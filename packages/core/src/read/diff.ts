/** The difference between two revisions, as quads of ids. */
import type { Pacer } from '../runtime/env.js';
import { addSegments } from '../index/memtable/table-rows.js';
import type { IndexVersion } from '../index/index-version.js';
import { SPOG } from '../index/orders.js';
import type { RevisionRange, RowSource } from '../index/read/row-source.js';
import { EVERYTHING, RunSource } from '../index/read/row-source.js';
import { MergeScan } from '../index/read/merge-scan.js';
import { RowCursor } from '../index/read/row-cursor.js';

/** A changed quad: `op` 1 means added, -1 removed. */
export interface DiffRow {
  readonly op: 1 | -1;
  readonly s: number;
  readonly p: number;
  readonly o: number;
  readonly g: number;
}

const PATH = { order: SPOG, prefix: 0, residual: [] };

/**
 * The net changes from revision `from` to the later revision `to`, sorted as (s, p, o, g). An interval that began
 * between them counts 1, an interval that ended between them counts -1. Blocks without either are not read.
 */
export async function* diffRows(index: IndexVersion, from: number, to: number, pacer: Pacer): AsyncGenerator<DiffRow> {
  const births = new RowCursor(
    new MergeScan(
      eventSources(index, { ...EVERYTHING, minFrom: from + 1, maxFrom: to }, ['live', 'history'], false),
      [],
    ),
  );
  const deaths = new RowCursor(
    new MergeScan(
      eventSources(index, { ...EVERYTHING, minTo: from + 1, maxTo: to }, ['history', 'tombstone'], true),
      [],
    ),
  );
  try {
    await births.advance();
    await deaths.advance();
    while (!births.done || !deaths.done) {
      const first = births.done || (!deaths.done && compare(deaths, births) < 0) ? deaths : births;
      const row = { s: first.value(0), p: first.value(1), o: first.value(2), g: first.value(3) };
      const net = (await countEqual(births, row)) - (await countEqual(deaths, row));
      if (net !== 0) yield { op: net > 0 ? 1 : -1, ...row };
      if (pacer.due()) await pacer.pause();
    }
  } finally {
    births.close();
    deaths.close();
  }
}

function compare(x: RowCursor, y: RowCursor): number {
  return x.value(0) - y.value(0) || x.value(1) - y.value(1) || x.value(2) - y.value(2) || x.value(3) - y.value(3);
}

async function countEqual(cursor: RowCursor, row: Omit<DiffRow, 'op'>): Promise<number> {
  let count = 0;
  while (
    !cursor.done &&
    cursor.value(0) === row.s &&
    cursor.value(1) === row.p &&
    cursor.value(2) === row.o &&
    cursor.value(3) === row.g
  ) {
    count++;
    const wait = cursor.advance();
    if (wait !== undefined) await wait;
  }
  return count;
}

function eventSources(
  index: IndexVersion,
  range: RevisionRange,
  kinds: readonly string[],
  deaths: boolean,
): RowSource[] {
  const options = { range, filters: [], revisions: true };
  const sources: RowSource[] = [];
  for (const run of index.runs) {
    const [minFrom, maxFrom, minTo, maxTo] = run.bounds;
    if (run.entry.order !== SPOG || !kinds.includes(run.entry.kind)) continue;
    if (minFrom > range.maxFrom || maxFrom < range.minFrom || minTo > range.maxTo || maxTo < range.minTo) continue;
    sources.push(new RunSource(run, [], 0, options));
  }
  for (const memtable of index.memtables) {
    addSegments(sources, memtable.added, PATH, [], options);
    if (deaths) addSegments(sources, memtable.removed, PATH, [], options);
  }
  return sources;
}
