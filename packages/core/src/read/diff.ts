/** The difference between two revisions, as quads of ids. */
import type { Pacer } from '../runtime/env.js';
import { addSegments } from '../index/memtable/table-rows.js';
import type { IndexVersion, Layer } from '../index/index-version.js';
import { reaches, residualFilters } from '../index/index-version.js';
import type { IdPattern } from '../index/orders.js';
import { accessPath, ANY, G, O, orderedIds, P, S } from '../index/orders.js';
import type { RowSource } from '../index/read/row-source.js';
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

/**
 * The net changes from revision `from` to the later revision `to`, sorted as (s, p, o, g); with a pattern those of
 * matching quads, in the order of its {@link accessPath}. An interval that began between them counts 1, an interval
 * that ended between them counts -1. Blocks without either are not read.
 */
export async function* diffRows(
  index: IndexVersion,
  from: number,
  to: number,
  pacer: Pacer,
  pattern: IdPattern = ANY,
): AsyncGenerator<DiffRow> {
  const path = accessPath(pattern);
  const { places } = path.order;
  const layers = index.layers(to).filter(({ number }) => number > from);
  const births = new RowCursor(new MergeScan(eventSources(layers, pattern, from, ['live', 'history'], false), []));
  const deaths = new RowCursor(new MergeScan(eventSources(layers, pattern, from, ['history', 'tombstone'], true), []));
  try {
    await births.advance();
    await deaths.advance();
    while (!births.done || !deaths.done) {
      const first = births.done || (!deaths.done && compare(deaths, births) < 0) ? deaths : births;
      const ids = [first.value(0), first.value(1), first.value(2), first.value(3)] as const;
      const net = (await countEqual(births, ids)) - (await countEqual(deaths, ids));
      const [s, p, o, g] = [ids[places[S]]!, ids[places[P]]!, ids[places[O]]!, ids[places[G]]!];
      if (net !== 0) yield { op: net > 0 ? 1 : -1, s, p, o, g };
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

async function countEqual(
  cursor: RowCursor,
  [first, second, third, fourth]: readonly [number, number, number, number],
): Promise<number> {
  let count = 0;
  while (
    !cursor.done &&
    cursor.value(0) === first &&
    cursor.value(1) === second &&
    cursor.value(2) === third &&
    cursor.value(3) === fourth
  ) {
    count++;
    const wait = cursor.advance();
    if (wait !== undefined) await wait;
  }
  return count;
}

function eventSources(
  layers: readonly Layer[],
  pattern: IdPattern,
  from: number,
  kinds: readonly string[],
  deaths: boolean,
): RowSource[] {
  const path = accessPath(pattern);
  const ids = orderedIds(path.order, pattern);
  const filters = residualFilters(path, pattern);
  const sources: RowSource[] = [];
  for (const { index, number } of layers) {
    const bounds = deaths ? { minTo: from + 1, maxTo: number } : { minFrom: from + 1, maxFrom: number };
    const range = { ...EVERYTHING, ...bounds };
    const options = { range, filters, revisions: true };
    for (const run of index.runs) {
      if (run.entry.order !== path.order || !kinds.includes(run.entry.kind) || !reaches(run, range)) continue;
      sources.push(new RunSource(run, ids, path.prefix, options));
    }
    for (const memtable of index.memtables) {
      addSegments(sources, memtable.added, path, ids, options);
      if (deaths) addSegments(sources, memtable.removed, path, ids, options);
    }
  }
  return sources;
}
