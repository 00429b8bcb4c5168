/**
 * Rows in memory, in append-only columns. A hash table finds a row by its quad; sorted segments of row numbers give
 * each order. A row's `to` can be set later, but only to a revision that its readers do not see. So readers need no
 * copy.
 */
import { DEFAULT_GRAPH, FOREVER } from '../../format/layout.js';
import type { RowColumns } from '../block/block-codec.js';
import { newRowColumns } from '../block/block-codec.js';
import { KeyFilter } from './key-filter.js';
import { G, O, ORDERS, P, S } from '../orders.js';
import type { Order } from '../orders.js';
import { QuadIndex } from './quad-index.js';
import type { Pacer } from '../../runtime/env.js';
import { sortRows } from '../../runtime/radix-sort.js';
import { SegmentMerge } from './segment-merge.js';

/**
 * Number of unsorted rows at which {@link RowTable.add} or {@link RowTable.sort} sorts them into a segment, so that
 * no read sorts more.
 */
const SEGMENT_ROWS = 4096;
/** Initial capacity, in rows. It is small because most tables hold few rows. */
const FIRST_ROWS = 16;
/** A segment is merged with the one before it if that one is less than this many times larger. */
const SEGMENT_FACTOR = 4;

export class RowTable {
  /** s, p, o, g, from, to. Larger arrays replace them as the table grows. */
  columns: RowColumns = newRowColumns(FIRST_ROWS);
  rows = 0;
  /** Number of rows whose `to` is set. */
  ended = 0;
  hasNamedGraphs = false;
  readonly #index = new QuadIndex();
  readonly #segments: (readonly Uint32Array[])[] = ORDERS.map(() => []);
  readonly #sorted: number[] = ORDERS.map(() => 0);
  readonly #filters: (KeyFilter | undefined)[] = ORDERS.map(() => undefined);

  /** @param sortedLater the caller that adds rows calls {@link sort} before many of them are read */
  constructor(private readonly sortedLater = false) {}

  add(s: number, p: number, o: number, g: number, from: number, to: number): number {
    if (this.rows === this.columns[0].length) this.#grow();
    const row = this.rows++;
    const columns = this.columns;
    columns[S]![row] = s;
    columns[P]![row] = p;
    columns[O]![row] = o;
    columns[G]![row] = g;
    columns[4][row] = from;
    columns[5][row] = to;
    if (to !== FOREVER) this.ended++;
    if (g !== DEFAULT_GRAPH) this.hasNamedGraphs = true;
    this.#index.set(columns, row);
    if (!this.sortedLater && this.rows % SEGMENT_ROWS === 0) for (const order of ORDERS) this.segments(order);
    return row;
  }

  /** Ends the interval of a row at revision `to`. */
  end(row: number, to: number): void {
    this.columns[5][row] = to;
    this.ended++;
  }

  /** The latest row of a quad, or -1. */
  latest(s: number, p: number, o: number, g: number): number {
    return this.#index.find(this.columns, s, p, o, g);
  }

  /** Row numbers sorted by one order, as segments. The returned arrays never change. */
  segments(order: Order): readonly Uint32Array[] {
    const sorted = this.#sorted[order.number]!;
    if (sorted < this.rows) {
      const fresh = this.#freshRows(order, sorted).sort(this.comparison(order));
      this.#sorted[order.number] = this.rows;
      this.#push(order, fresh);
      while (this.#mergeable(order)) this.#mergeLast(order, (left, right) => this.#merge(order, left, right));
    }
    return this.#segments[order.number]!;
  }

  /** Sorts new rows by all orders if there are at least {@link SEGMENT_ROWS}, in time slices. */
  async sort(pacer: Pacer): Promise<void> {
    for (const order of ORDERS) {
      if (this.rows - this.#sorted[order.number]! >= SEGMENT_ROWS) await this.#sortFresh(order, pacer);
    }
  }

  async #sortFresh(order: Order, pacer: Pacer): Promise<void> {
    const first = this.#sorted[order.number]!;
    const end = this.rows;
    const fresh = await sortRows(this.#freshRows(order, first), this.#sortColumns(order), pacer);
    // A read has sorted these rows meanwhile.
    if (this.#sorted[order.number] !== first) return;
    this.#sorted[order.number] = end;
    this.#push(order, fresh);
    while (this.#mergeable(order)) {
      const segments = this.#segments[order.number]!;
      const [left, right] = [segments.at(-2)!, segments.at(-1)!];
      const merge = new SegmentMerge(left, right, this.comparison(order));
      await pacer.rows(merge.out.length, (_, to) => merge.fill(to));
      if (this.#segments[order.number] !== segments) return;
      this.#mergeLast(order, () => merge.out);
    }
  }

  #push(order: Order, fresh: Uint32Array): void {
    if (fresh.length > 0) this.#segments[order.number] = [...this.#segments[order.number]!, fresh];
  }

  // Whether the last segment is due for a merge with the one before it.
  #mergeable(order: Order): boolean {
    const segments = this.#segments[order.number]!;
    return segments.length > 1 && segments.at(-2)!.length < segments.at(-1)!.length * SEGMENT_FACTOR;
  }

  #mergeLast(order: Order, merge: (left: Uint32Array, right: Uint32Array) => Uint32Array): void {
    const segments = this.#segments[order.number]!;
    this.#segments[order.number] = [...segments.slice(0, -2), merge(segments.at(-2)!, segments.at(-1)!)];
  }

  /** A filter that excludes keys which no present row has. Rows added later may be missing in it. */
  filter(order: Order): KeyFilter {
    const filter = (this.#filters[order.number] ??= new KeyFilter(order));
    filter.cover(this.columns, this.rows);
    return filter;
  }

  /** All rows of an order as one sorted list of row numbers. */
  allSorted(order: Order, pacer: Pacer): Promise<Uint32Array> {
    return sortRows(this.#freshRows(order, 0), this.#sortColumns(order), pacer);
  }

  /** The index in a segment at which the rows with these first ids begin; with `after`, at which they end. */
  locate(order: Order, segment: Uint32Array, ids: readonly number[], prefix: number, after: boolean): number {
    let low = 0;
    let high = segment.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const row = segment[middle]!;
      const difference = this.#compareIds(order, row, ids, prefix);
      if (difference < 0 || (after && difference === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The end of the rows with these first ids, if their first row is at `start`. Checks two rows before it searches. */
  endOf(order: Order, segment: Uint32Array, ids: readonly number[], prefix: number, start: number): number {
    for (let at = start; at < start + 2; at++) {
      if (at === segment.length || this.#compareIds(order, segment[at]!, ids, prefix) !== 0) return at;
    }
    return this.locate(order, segment, ids, prefix, true);
  }

  #compareIds(order: Order, row: number, ids: readonly number[], prefix: number): number {
    for (let i = 0; i < prefix; i++) {
      const difference = this.columns[order.columns[i]!]![row]! - ids[i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** A comparison of rows by the places of an order, then by `from`. Valid until a row is added. */
  comparison(order: Order): (x: number, y: number) => number {
    const { columns } = this;
    const [a, b, c, d] = order.columns.map((place) => columns[place]!) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ];
    const from = columns[4];
    return (x, y) => a[x]! - a[y]! || b[x]! - b[y]! || c[x]! - c[y]! || d[x]! - d[y]! || from[x]! - from[y]!;
  }

  // The columns by which the rows of an order are sorted.
  #sortColumns(order: Order): Uint32Array[] {
    return [...order.columns, 4].map((column) => this.columns[column]!);
  }

  #freshRows(order: Order, from: number): Uint32Array<ArrayBuffer> {
    const graphs = this.columns[G]!;
    const fresh = new Uint32Array(this.rows - from);
    let count = 0;
    for (let row = from; row < this.rows; row++) {
      if (!order.namedOnly || graphs[row] !== DEFAULT_GRAPH) fresh[count++] = row;
    }
    return fresh.subarray(0, count);
  }

  #merge(order: Order, left: Uint32Array, right: Uint32Array): Uint32Array {
    const merge = new SegmentMerge(left, right, this.comparison(order));
    merge.fill(merge.out.length);
    return merge.out;
  }

  #grow(): void {
    const grown = newRowColumns(this.rows * 2);
    for (let i = 0; i < grown.length; i++) grown[i]!.set(this.columns[i]!);
    this.columns = grown;
  }
}
