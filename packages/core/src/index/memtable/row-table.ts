/**
 * Rows in memory: columns that only grow, found by quad through a hash table and read in any order through sorted
 * segments. A row's `to` may be set later, by a revision above that of every reader, so readers need no copy.
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

/** Unsorted rows are sorted into a segment when so many have come, so that no read has to sort more. */
const SEGMENT_ROWS = 4096;
/** Most tables hold little. */
const FIRST_ROWS = 16;
/** A segment is merged with the one before it unless that is so many times larger. */
const SEGMENT_FACTOR = 4;

export class RowTable {
  /** s, p, o, g, from, to. Replaced by larger ones as rows come. */
  columns: RowColumns = newRowColumns(FIRST_ROWS);
  rows = 0;
  /** Rows whose `to` is set. */
  ended = 0;
  hasNamedGraphs = false;
  readonly #index = new QuadIndex();
  readonly #segments: (readonly Uint32Array[])[] = ORDERS.map(() => []);
  readonly #sorted: number[] = ORDERS.map(() => 0);
  readonly #filters: (KeyFilter | undefined)[] = ORDERS.map(() => undefined);

  /** @param sortedLater whoever adds rows calls {@link sort} before many of them are read */
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

  /** Ends the interval of a row. */
  end(row: number, to: number): void {
    this.columns[5][row] = to;
    this.ended++;
  }

  /** The latest row of a quad, or -1. */
  latest(s: number, p: number, o: number, g: number): number {
    return this.#index.find(this.columns, s, p, o, g);
  }

  /** Sorted row numbers in one order, as segments. The arrays never change. */
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

  /** Sorts the rows that are not sorted yet, in all orders, where they are many; in slices. */
  async sort(pacer: Pacer): Promise<void> {
    for (const order of ORDERS) {
      if (this.rows - this.#sorted[order.number]! >= SEGMENT_ROWS) await this.#sortFresh(order, pacer);
    }
  }

  async #sortFresh(order: Order, pacer: Pacer): Promise<void> {
    const first = this.#sorted[order.number]!;
    const end = this.rows;
    const fresh = await sortRows(this.#freshRows(order, first), this.#sortColumns(order), pacer);
    // A read came between, which has sorted them.
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

  // Whether the last segment is to be merged with the one before it.
  #mergeable(order: Order): boolean {
    const segments = this.#segments[order.number]!;
    return segments.length > 1 && segments.at(-2)!.length < segments.at(-1)!.length * SEGMENT_FACTOR;
  }

  #mergeLast(order: Order, merge: (left: Uint32Array, right: Uint32Array) => Uint32Array): void {
    const segments = this.#segments[order.number]!;
    this.#segments[order.number] = [...segments.slice(0, -2), merge(segments.at(-2)!, segments.at(-1)!)];
  }

  /** Tells keys that none of the rows has which are there now; rows to come may enter or not. */
  filter(order: Order): KeyFilter {
    const filter = (this.#filters[order.number] ??= new KeyFilter(order));
    filter.cover(this.columns, this.rows);
    return filter;
  }

  /** All rows of an order as one sorted list. */
  allSorted(order: Order, pacer: Pacer): Promise<Uint32Array> {
    return sortRows(this.#freshRows(order, 0), this.#sortColumns(order), pacer);
  }

  /** Where the rows with these first ids begin (or, with `after`, end) in a segment. */
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

  /** Where the rows with these first ids end, of which the first one would stand at `start`. */
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

  /** Compares rows by the places of an order, then by `from`. Good until a row is added. */
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
