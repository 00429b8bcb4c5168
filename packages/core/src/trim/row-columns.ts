/** Growing columns of rows with the revisions of their intervals. */
import type { RowColumns } from '../index/block/block-codec.js';
import { newRowColumns } from '../index/block/block-codec.js';
import type { SortedRows } from '../index/run/write-orders.js';
import type { EndedQuads } from '../revision/record.js';

const FIRST_ROWS = 16;

export class RowColumnsBuffer implements SortedRows {
  columns: RowColumns = newRowColumns(FIRST_ROWS);
  length = 0;

  push(ids: readonly [number, number, number, number], from: number, to: number): void {
    if (this.length === this.columns[0].length) this.#grow();
    const row = this.length++;
    for (let place = 0; place < 4; place++) this.columns[place]![row] = ids[place]!;
    this.columns[4][row] = from;
    this.columns[5][row] = to;
  }

  #grow(): void {
    const grown = newRowColumns(this.length * 2);
    for (let column = 0; column < 6; column++) grown[column]!.set(this.columns[column]!);
    this.columns = grown;
  }

  /** Lets go of all rows. */
  clear(): void {
    this.columns = newRowColumns(FIRST_ROWS);
    this.length = 0;
  }

  /** The rows as a record has them. */
  quads(): EndedQuads & { readonly to: Uint32Array } {
    const { length } = this;
    const [s, p, o, g, from, to] = this.columns.map((column) => column.slice(0, length)) as unknown as RowColumns;
    return { length, s, p, o, g, from, to };
  }
}
