/** A source of rows that are in memory and sorted in the sequence of their order. */
import type { RowColumns } from '../block/block-codec.js';
import type { Missing, RowSource } from './row-source.js';

export class ArraySource implements RowSource {
  columns: RowColumns;
  position = 0;
  length = 0;
  #rows: number;

  constructor(rows: { readonly columns: RowColumns; readonly length: number }) {
    this.columns = rows.columns;
    this.#rows = rows.length;
  }

  fill(): number {
    this.position = this.length;
    const rows = this.#rows;
    this.#rows = 0;
    this.length = this.position + rows;
    return rows;
  }

  missing(): Missing {
    throw new Error('rows in memory have no missing block');
  }

  close(): void {
    this.#rows = 0;
  }
}
