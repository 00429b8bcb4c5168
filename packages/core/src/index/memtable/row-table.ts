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
import type { Missing, RowSource, SourceOptions } from '../read/row-source.js';
import { compactWindow, windowPool } from '../read/row-source.js';
import { hashIds } from '../../runtime/id-hash.js';

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
  #slots = new Int32Array(FIRST_ROWS * 4).fill(-1);
  #used = 0;
  readonly #segments: Uint32Array[][] = ORDERS.map(() => []);
  readonly #sorted: number[] = ORDERS.map(() => 0);
  readonly #filters: (KeyFilter | undefined)[] = ORDERS.map(() => undefined);

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
    this.#remember(row);
    if (this.rows % SEGMENT_ROWS === 0) for (const order of ORDERS) this.segments(order);
    return row;
  }

  /** Ends the interval of a row. */
  end(row: number, to: number): void {
    this.columns[5][row] = to;
    this.ended++;
  }

  /** The latest row of a quad, or -1. */
  latest(s: number, p: number, o: number, g: number): number {
    const [cs, cp, co, cg] = this.columns;
    const mask = this.#slots.length - 1;
    for (let slot = hashIds(s, p, o, g) & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]!;
      if (row === -1) return -1;
      if (cs[row] === s && co[row] === o && cp[row] === p && cg[row] === g) return row;
    }
  }

  /** Sorted row numbers in one order, as segments. The arrays never change. */
  segments(order: Order): readonly Uint32Array[] {
    const segments = this.#segments[order.number]!;
    const sorted = this.#sorted[order.number]!;
    if (sorted < this.rows) {
      const fresh = this.#freshRows(order, sorted);
      this.#sorted[order.number] = this.rows;
      if (fresh.length > 0) this.#push(order, segments, fresh);
    }
    return segments;
  }

  /** Tells keys that none of the rows has which are there now; rows to come may enter or not. */
  filter(order: Order): KeyFilter {
    const filter = (this.#filters[order.number] ??= new KeyFilter(order));
    filter.cover(this.columns, this.rows);
    return filter;
  }

  /** All rows of an order as one sorted list. */
  sortedRows(order: Order): Uint32Array {
    const segments = [...this.segments(order)];
    while (segments.length > 1) {
      const last = segments.pop()!;
      segments.push(this.#merge(order, segments.pop()!, last));
    }
    return segments[0] ?? new Uint32Array(0);
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

  #freshRows(order: Order, from: number): Uint32Array {
    const graphs = this.columns[G]!;
    const fresh = new Uint32Array(this.rows - from);
    let count = 0;
    for (let row = from; row < this.rows; row++) {
      if (!order.namedOnly || graphs[row] !== DEFAULT_GRAPH) fresh[count++] = row;
    }
    return fresh.subarray(0, count).sort(this.comparison(order));
  }

  #push(order: Order, segments: Uint32Array[], fresh: Uint32Array): void {
    let merged = fresh;
    while (segments.length > 0 && segments.at(-1)!.length < merged.length * SEGMENT_FACTOR) {
      merged = this.#merge(order, segments.pop()!, merged);
    }
    segments.push(merged);
  }

  #merge(order: Order, left: Uint32Array, right: Uint32Array): Uint32Array {
    const compare = this.comparison(order);
    const out = new Uint32Array(left.length + right.length);
    let l = 0;
    let r = 0;
    for (let i = 0; i < out.length; i++) {
      const takeLeft = r === right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0);
      out[i] = takeLeft ? left[l++]! : right[r++]!;
    }
    return out;
  }

  #grow(): void {
    const grown = newRowColumns(this.rows * 2);
    for (let i = 0; i < grown.length; i++) grown[i]!.set(this.columns[i]!);
    this.columns = grown;
  }

  #remember(row: number): void {
    if (this.#used * 2 >= this.#slots.length) this.#rehash();
    this.#place(row);
  }

  #place(row: number): void {
    const [cs, cp, co, cg] = this.columns;
    const [s, p, o, g] = [cs[row]!, cp[row]!, co[row]!, cg[row]!];
    const mask = this.#slots.length - 1;
    for (let slot = hashIds(s, p, o, g) & mask; ; slot = (slot + 1) & mask) {
      const other = this.#slots[slot]!;
      if (other === -1) this.#used++;
      else if (cs[other] !== s || cp[other] !== p || co[other] !== o || cg[other] !== g) continue;
      this.#slots[slot] = row;
      return;
    }
  }

  #rehash(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2).fill(-1);
    this.#used = 0;
    for (const row of old) if (row !== -1) this.#place(row);
  }
}

/** Rows `start … end` of a segment. */
export class SegmentSource implements RowSource {
  columns: RowColumns;
  position = 0;
  length = 0;
  #next: number;
  #pool;
  readonly #values: RowColumns;
  #closed = false;

  constructor(
    table: RowTable,
    private readonly order: Order,
    private readonly segment: Uint32Array,
    start: number,
    private end: number,
    private readonly options: SourceOptions,
  ) {
    this.#values = table.columns;
    this.#next = start;
    this.#pool = windowPool(end - start);
    this.columns = this.#pool.take();
  }

  /** Goes to other rows of the segment. */
  restart(start: number, end: number): void {
    this.#next = start;
    this.end = end;
    this.position = this.length = 0;
    const pool = windowPool(end - start);
    if (this.#closed || pool.rows > this.#pool.rows) {
      this.close();
      this.#pool = pool;
      this.columns = pool.take();
      this.#closed = false;
    }
  }

  fill(): number {
    const [a, b, c, d] = this.order.columns;
    const [outA, outB, outC, outD, outFrom, outTo] = this.columns;
    const values = this.#values;
    while (this.#next < this.end) {
      const count = Math.min(this.end - this.#next, this.#pool.rows);
      for (let i = 0; i < count; i++) {
        const row = this.segment[this.#next + i]!;
        outA[i] = values[a]![row]!;
        outB[i] = values[b]![row]!;
        outC[i] = values[c]![row]!;
        outD[i] = values[d]![row]!;
        outFrom[i] = values[4][row]!;
        outTo[i] = values[5][row]!;
      }
      this.#next += count;
      this.position = 0;
      this.length = compactWindow(this.columns, 0, count, this.options.range, this.options.filters);
      if (this.length > 0) return this.length;
    }
    this.length = this.position;
    return 0;
  }

  missing(): Missing {
    throw new Error('rows in memory are never missing');
  }

  close(): void {
    if (!this.#closed) this.#pool.give(this.columns);
    this.#closed = true;
  }
}
