/**
 * A scan: the rows of one state that match a pattern, in the order of an index. It merges the sources that say a quad is
 * there and takes away those that say it is gone. Steps are synchronous; what has to be fetched is fetched between them.
 */
import { MISS } from '../cache.js';
import type { RowColumns } from './block-codec.js';
import { newRowColumns } from './block-codec.js';
import type { Missing, RowSource } from './row-source.js';

const BATCH_ROWS = 2048;

/** Places a, b, c, d and the `from` revision of the rows `start … end`. Good until the next step. */
export interface RowBatch {
  columns: RowColumns;
  start: number;
  end: number;
}

export class MergeScan {
  readonly batch: RowBatch;
  #open: RowSource[];
  #minus: RowSource[];
  #unfilled: RowSource[];
  #blocked: RowSource | undefined;
  #merged: RowColumns | undefined;
  #closed = false;

  constructor(
    private readonly sources: readonly RowSource[],
    private readonly minusSources: readonly RowSource[],
  ) {
    this.#open = [];
    this.#minus = [];
    this.#unfilled = [...sources, ...minusSources];
    this.batch = { columns: sources[0]?.columns ?? EMPTY, start: 0, end: 0 };
  }

  /** Makes the next batch: the number of its rows, 0 at the end, {@link MISS} if {@link fetch} has to be awaited first. */
  next(): number {
    if (this.#unfilled.length > 0 && !this.#fillAll()) return MISS;
    if (this.#open.length === 0) return this.#finish();
    if (this.#open.length === 1 && this.#minus.length === 0) return this.#passThrough(this.#open[0]!);
    return this.#merge();
  }

  async fetch(): Promise<void> {
    const missing: Missing = this.#blocked!.missing();
    await missing.run.cache.fetch(missing.run.source, [missing.block]);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const source of this.sources) source.close();
    for (const source of this.minusSources) source.close();
  }

  #finish(): number {
    this.close();
    this.batch.start = this.batch.end = 0;
    return 0;
  }

  #fillAll(): boolean {
    while (this.#unfilled.length > 0) {
      const source = this.#unfilled.at(-1)!;
      const rows = source.fill();
      if (rows === MISS) {
        this.#blocked = source;
        return false;
      }
      this.#unfilled.pop();
      if (rows > 0) (this.sources.includes(source) ? this.#open : this.#minus).push(source);
    }
    return true;
  }

  #passThrough(source: RowSource): number {
    this.batch.columns = source.columns;
    this.batch.start = source.position;
    this.batch.end = source.length;
    source.position = source.length;
    this.#open = [];
    this.#unfilled.push(source);
    return this.batch.end - this.batch.start;
  }

  #merge(): number {
    const out = (this.#merged ??= newRowColumns(BATCH_ROWS));
    let count = 0;
    while (count < BATCH_ROWS && (this.#unfilled.length === 0 || this.#fillAll()) && this.#open.length > 0) {
      const source = least(this.#open);
      if (this.#minus.length > 0) {
        // Tombstones are sorted as the rows are: one that is behind the row has found its row, or has none here.
        const tombstone = least(this.#minus);
        const order = compareRows(tombstone, source);
        if (order <= 0) this.#advance(tombstone, this.#minus);
        if (order === 0) this.#advance(source, this.#open);
        if (order <= 0) continue;
      }
      copyRow(source, out, count++);
      this.#advance(source, this.#open);
    }
    this.batch.columns = out;
    this.batch.start = 0;
    this.batch.end = count;
    if (count > 0) return count;
    return this.#unfilled.length > 0 ? MISS : this.#finish();
  }

  #advance(source: RowSource, list: RowSource[]): void {
    source.position++;
    if (source.position < source.length) return;
    list.splice(list.indexOf(source), 1);
    this.#unfilled.push(source);
  }
}

const EMPTY = newRowColumns(1);

export function least(sources: readonly RowSource[]): RowSource {
  let best = sources[0]!;
  for (let i = 1; i < sources.length; i++) if (compareRows(sources[i]!, best) < 0) best = sources[i]!;
  return best;
}

/** By the four places, then by `from`. */
export function compareRows(x: RowSource, y: RowSource): number {
  const i = x.position;
  const j = y.position;
  return (
    x.columns[0][i]! - y.columns[0][j]! ||
    x.columns[1][i]! - y.columns[1][j]! ||
    x.columns[2][i]! - y.columns[2][j]! ||
    x.columns[3][i]! - y.columns[3][j]! ||
    x.columns[4][i]! - y.columns[4][j]!
  );
}

function copyRow(source: RowSource, out: RowColumns, to: number): void {
  const from = source.position;
  for (let i = 0; i < 6; i++) out[i]![to] = source.columns[i]![from]!;
}
