/** A scan with columns by quad position, whatever order it reads. */
import type { RowColumns } from '../block/block-codec.js';
import type { Order } from '../orders.js';
import type { MergeScan } from './merge-scan.js';

export class QuadScan {
  s: Uint32Array;
  p: Uint32Array;
  o: Uint32Array;
  g: Uint32Array;
  start = 0;
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
   * Reads the next window. Returns its number of rows, 0 at the end, or {@link MISS} if the caller must await {@link
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

  fetch(): Promise<void> {
    return this.#scan.fetch();
  }

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
