/** The difference between two revisions, as rows of ids. */
import { MISS } from '../keyspace/block-cache.js';
import type { Pacer } from '../runtime/env.js';
import { addSegments } from '../index/memtable/table-rows.js';
import type { IndexVersion, Layer } from '../index/index-version.js';
import { reaches, residualFilters } from '../index/index-version.js';
import type { AccessPath, IdPattern } from '../index/orders.js';
import { accessPath, ANY, orderedIds } from '../index/orders.js';
import type { RowSource } from '../index/read/row-source.js';
import { EVERYTHING, RunSource } from '../index/read/row-source.js';
import { MergeScan } from '../index/read/merge-scan.js';
import { compareCursors, RowCursor } from '../index/read/row-cursor.js';
import { ChangeWindow } from './change-window.js';
import type { ChangeRows } from './change-window.js';

/** What a difference is looked for in. `to` is not before `from`. */
export interface DiffRange {
  readonly index: IndexVersion;
  readonly from: number;
  readonly to: number;
}

/** Rows between two looks at the clock. */
const STEPS_AT_ONCE = 1024;

/**
 * The net changes from revision `from` to the later revision `to` of the quads that match, in the order of the pattern's
 * {@link accessPath}. An interval that began between them counts 1, an interval that ended between them counts -1. Blocks without
 * either are not read.
 */
export class ChangeScan extends ChangeWindow implements ChangeRows {
  readonly #births: RowCursor;
  readonly #deaths: RowCursor;
  #birthsStand = false;
  #deathsStand = false;
  #waiting: RowCursor | undefined;
  #steps = 0;
  /** The quad whose rows are counted, and their sum. */
  #a = 0;
  #b = 0;
  #c = 0;
  #d = 0;
  #net = 0;

  constructor(
    { index, from, to }: DiffRange,
    private readonly pacer: Pacer,
    pattern: IdPattern = ANY,
  ) {
    const path = accessPath(pattern);
    super(path.order);
    const layers = index.layers(to).filter(({ number }) => number > from);
    this.#births = new RowCursor(new MergeScan(eventSources(layers, path, pattern, from, false), []));
    this.#deaths = new RowCursor(new MergeScan(eventSources(layers, path, pattern, from, true), []));
  }

  next(): number {
    this.begin();
    while (this.room > 0) {
      if (!this.#stand()) return this.handOut() || MISS;
      const births = this.#births;
      const deaths = this.#deaths;
      if (births.done && deaths.done) {
        this.#endQuad();
        break;
      }
      const isBirth = !births.done && (deaths.done || compareCursors(births, deaths, 4) <= 0);
      this.#count(isBirth ? births : deaths, isBirth ? 1 : -1);
      if (isBirth) this.#birthsStand = false;
      else this.#deathsStand = false;
      if (++this.#steps % STEPS_AT_ONCE === 0 && this.pacer.due()) return this.handOut() || MISS;
    }
    return this.handOut();
  }

  // Both stand on a row, or at the end. Returns false if a block must be fetched before.
  #stand(): boolean {
    if (!this.#birthsStand && !(this.#birthsStand = this.#births.step())) return this.#block(this.#births);
    if (!this.#deathsStand && !(this.#deathsStand = this.#deaths.step())) return this.#block(this.#deaths);
    return true;
  }

  #block(cursor: RowCursor): false {
    this.#waiting = cursor;
    return false;
  }

  #count({ columns, row }: RowCursor, change: 1 | -1): void {
    const [a, b, c, d] = columns;
    if (d[row] !== this.#d || c[row] !== this.#c || b[row] !== this.#b || a[row] !== this.#a) {
      this.#endQuad();
      this.#a = a[row]!;
      this.#b = b[row]!;
      this.#c = c[row]!;
      this.#d = d[row]!;
    }
    this.#net += change;
  }

  #endQuad(): void {
    if (this.#net !== 0) this.push(this.#a, this.#b, this.#c, this.#d, this.#net > 0 ? 1 : -1);
    this.#net = 0;
  }

  async fetch(): Promise<void> {
    if (this.pacer.due()) await this.pacer.pause();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    await waiting?.fetch();
  }

  close(): void {
    this.#births.close();
    this.#deaths.close();
  }
}

function eventSources(
  layers: readonly Layer[],
  path: AccessPath,
  pattern: IdPattern,
  from: number,
  deaths: boolean,
): RowSource[] {
  const ids = orderedIds(path.order, pattern);
  const filters = residualFilters(path, pattern);
  const other = deaths ? 'tombstone' : 'live';
  const sources: RowSource[] = [];
  for (const { index, number } of layers) {
    const bounds = deaths ? { minTo: from + 1, maxTo: number } : { minFrom: from + 1, maxFrom: number };
    const range = { ...EVERYTHING, ...bounds };
    const options = { range, filters, revisions: true };
    for (const run of index.runsOf(path.order)) {
      const { kind } = run.entry;
      if ((kind === 'history' || kind === other) && reaches(run, range))
        sources.push(new RunSource(run, ids, path.prefix, options));
    }
    for (const memtable of index.memtables) {
      addSegments(sources, memtable.added, path, ids, options);
      if (deaths) addSegments(sources, memtable.removed, path, ids, options);
    }
  }
  return sources;
}

/** A changed quad: `op` 1 means added, -1 removed. */
export interface DiffRow {
  readonly op: 1 | -1;
  readonly s: number;
  readonly p: number;
  readonly o: number;
  readonly g: number;
}

/** The rows one by one. */
export async function* eachRow(rows: ChangeRows, pacer: Pacer): AsyncGenerator<DiffRow> {
  try {
    for (let count = rows.next(); count !== 0; count = rows.next()) {
      if (count === MISS) {
        await rows.fetch();
        continue;
      }
      const { s, p, o, g, ops } = rows;
      for (let i = rows.start; i < rows.end; i++)
        yield { op: ops[i] as 1 | -1, s: s[i]!, p: p[i]!, o: o[i]!, g: g[i]! };
      if (pacer.due()) await pacer.pause();
    }
  } finally {
    rows.close();
  }
}

/** The net changes of all quads from one revision to a later one, sorted as (s, p, o, g). */
export const diffRows = (index: IndexVersion, from: number, to: number, pacer: Pacer): AsyncGenerator<DiffRow> =>
  eachRow(new ChangeScan({ index, from, to }, pacer), pacer);
