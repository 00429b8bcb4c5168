/** Growing columns of rows with the revisions of their intervals. */
import type { RowColumns } from '../block/block-codec.js';
import { newRowColumns } from '../block/block-codec.js';
import type { SortedRows } from './write-orders.js';

const FIRST_ROWS = 16;

export class GrowingRows implements SortedRows {
  columns: RowColumns = newRowColumns(FIRST_ROWS);
  length = 0;

  push(s: number, p: number, o: number, g: number, from: number, to: number): void {
    if (this.length === this.columns[0].length) this.#grow();
    const row = this.length++;
    const { columns } = this;
    columns[0][row] = s;
    columns[1][row] = p;
    columns[2][row] = o;
    columns[3][row] = g;
    columns[4][row] = from;
    columns[5][row] = to;
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
}
