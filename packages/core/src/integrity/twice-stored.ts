/**
 * Finds quads that a line has twice at the same time: of two intervals of a quad, the later one must begin when the earlier one has ended.
 * Takes the line's own intervals as a verification reads them, and looks up in the base the quads that they begin.
 */
import { QuadColumns } from '../index/quad-columns.js';
import { IndexVersion } from '../index/index-version.js';
import { LayeredIndex } from '../index/layered-index.js';
import { SPOG } from '../index/orders.js';
import { tombstonesOf } from '../index/read/intervals.js';
import type { Interval } from '../index/read/intervals.js';
import { compareAt } from '../index/read/mark-intervals.js';
import type { SortedRows } from '../index/run/write-orders.js';
import type { Snapshot } from '../read/snapshot.js';
import type { Pacer } from '../runtime/env.js';
import { compareRemoved } from '../write/large-change/compare.js';

/** Quads that are looked up together. */
const AT_ONCE = 4096;

export class TwiceStored {
  count = 0;
  /** The ids of the first one. */
  first: readonly number[] = [];
  #quad: readonly number[] = [];
  #end = 0;
  /** Quads that the line has begun, and with which revision. */
  #begun = new QuadColumns();
  #from: number[] = [];
  readonly #base: BaseIntervals | undefined;

  constructor({ index, number }: Snapshot, pacer: Pacer) {
    if (index instanceof LayeredIndex) this.#base = new BaseIntervals(index, number, pacer);
  }

  /** Takes an interval that begins on the line, in the sequence of SPOG. Returns a promise if something must be looked up. */
  take(ids: readonly [number, number, number, number], from: number, to: number): Promise<void> | undefined {
    const isSame = ids.every((id, place) => id === this.#quad[place]);
    if (isSame && from < this.#end) this.#found(ids);
    this.#end = isSame ? Math.max(this.#end, to) : to;
    if (isSame) return undefined;
    this.#quad = [...ids];
    if (this.#base === undefined) return undefined;
    this.#begun.push(...ids);
    return this.#from.push(from) === AT_ONCE ? this.#lookUp(this.#base) : undefined;
  }

  async end(): Promise<void> {
    if (this.#base !== undefined) await this.#lookUp(this.#base);
  }

  close(): void {
    this.#base?.close();
  }

  #found(ids: readonly number[]): void {
    if (this.count++ === 0) this.first = [...ids];
  }

  async #lookUp(base: BaseIntervals): Promise<void> {
    const [{ s, p, o, g, length }, from] = [this.#begun, Uint32Array.from(this.#from)];
    [this.#begun, this.#from] = [new QuadColumns(), []];
    const rows = { columns: [s, p, o, g, new Uint32Array(length), from], length } as const;
    for (const row of await base.openAt(rows)) this.#found([s[row]!, p[row]!, o[row]!, g[row]!]);
  }
}

/** The intervals that a line has from its base. */
class BaseIntervals {
  readonly #own: IndexVersion;
  /** Where the line has ended them, in the sequence of SPOG. */
  readonly #ends: AsyncGenerator<Interval>;
  #end: IteratorResult<Interval, unknown> | undefined;

  constructor(
    private readonly index: LayeredIndex,
    number: number,
    private readonly pacer: Pacer,
  ) {
    this.#own = new IndexVersion(index.runs, index.memtables);
    this.#ends = tombstonesOf(this.#own, SPOG, number, pacer);
  }

  /** Those rows whose quads begin, with the revision in the last column, while an interval of the base has not ended. The calls go on in sequence. */
  async openAt(rows: SortedRows): Promise<number[]> {
    const { base, fork } = this.index;
    // What the last revision before the line has.
    const { found } = await compareRemoved(rows, { index: base, number: fork }, this.pacer);
    const open: number[] = [];
    let row = 0;
    for (let at = 0; at < found.length; at++) {
      while (compareAt(rows, row, found.columns, at) < 0) row++;
      if ((await this.#endOf(found, at)) > rows.columns[5][row]!) open.push(row);
    }
    return open;
  }

  async #endOf(rows: SortedRows, row: number): Promise<number> {
    this.#end ??= await this.#ends.next();
    for (; this.#end.done !== true; this.#end = await this.#ends.next()) {
      const { ids, from, to } = this.#end.value;
      const order =
        compareAt(
          rows,
          row,
          ids.map((id) => [id]),
          0,
        ) || rows.columns[4][row]! - from;
      if (order === 0) return to;
      if (order < 0) break;
    }
    return Number.POSITIVE_INFINITY;
  }

  close(): void {
    void this.#ends.return(undefined);
    this.#own.supersede();
  }
}
