/** A scan with columns by quad position, whatever order it reads. */
import type { RowColumns } from '../block/block-codec.js';
import type { Order } from '../orders.js';
import type { MergeScan } from './merge-scan.js';

/** Reads the quads of a pattern as columns of ids, in windows. */
export class QuadScan {
  /** Subjects. Rows `start` to `end` of the columns are the window, which is good until the next step. */
  s: Uint32Array;
  /** Predicates. */
  p: Uint32Array;
  /** Objects. */
  o: Uint32Array;
  /** Graphs. */
  g: Uint32Array;
  /** The first row of the window. */
  start = 0;
  /** The row behind the last one of the window. */
  end = 0;
  readonly #scan: MergeScan;
  readonly #places: Order['places'];

  constructor(scan: MergeScan, order: Order) {
    this.#scan = scan;
    this.#places = order.places;
    const [s, p, o, g] = quadColumns(scan.batch.columns, order);
    this.s = s;
    this.p = p;
    this.o = o;
    this.g = g;
  }

  /**
   * Reads the next window. Returns its number of rows, 0 at the end, or `MISS` (-1) if the caller must await {@link
   * fetch} first.
   */
  next(): number {
    const rows = this.#scan.next();
    const { columns, start, end } = this.#scan.batch;
    const places = this.#places;
    this.s = columns[places[0]]!;
    this.p = columns[places[1]]!;
    this.o = columns[places[2]]!;
    this.g = columns[places[3]]!;
    this.start = start;
    this.end = end;
    return rows;
  }

  /** Fetches what the last step lacked. */
  fetch(): Promise<void> {
    return this.#scan.fetch();
  }

  /** Frees what the scan holds. */
  close(): void {
    this.#scan.close();
  }
}

/** The columns of subject, predicate, object and graph among the columns of an order. */
export function quadColumns(
  columns: RowColumns,
  { places }: Order,
): readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array] {
  return [columns[places[0]]!, columns[places[1]]!, columns[places[2]]!, columns[places[3]]!];
}
