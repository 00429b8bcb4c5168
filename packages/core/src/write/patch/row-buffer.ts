/** Rows `A` and `D` of transactions, in growing columns. */
import type { QuadColumns } from '../../index/quad-columns.js';

const FIRST_ROWS = 1024;

export class RowBuffer {
  s = new Uint32Array(FIRST_ROWS);
  p = new Uint32Array(FIRST_ROWS);
  o = new Uint32Array(FIRST_ROWS);
  g = new Uint32Array(FIRST_ROWS);
  /** The line of each row, and whether the row adds its quad. */
  lines = new Uint32Array(FIRST_ROWS);
  added = new Uint8Array(FIRST_ROWS);
  length = 0;

  push(added: boolean, s: number, p: number, o: number, g: number, line: number): void {
    const at = this.length;
    if (at === this.s.length) this.#grow();
    this.s[at] = s;
    this.p[at] = p;
    this.o[at] = o;
    this.g[at] = g;
    this.lines[at] = line;
    this.added[at] = added ? 1 : 0;
    this.length++;
  }

  #grow(): void {
    const rows = this.length * 2;
    for (const name of ['s', 'p', 'o', 'g', 'lines'] as const) {
      const grown = new Uint32Array(rows);
      grown.set(this[name]);
      this[name] = grown;
    }
    const grown = new Uint8Array(rows);
    grown.set(this.added);
    this.added = grown;
  }

  /** Drops the first rows. */
  dropFirst(rows: number): void {
    for (const name of ['s', 'p', 'o', 'g', 'lines', 'added'] as const) this[name].copyWithin(0, rows, this.length);
    this.length -= rows;
    // After a large transaction the columns are small again.
    if (this.length === 0 && this.s.length > FIRST_ROWS * 64) this.#shrink();
  }

  #shrink(): void {
    for (const name of ['s', 'p', 'o', 'g', 'lines'] as const) this[name] = new Uint32Array(FIRST_ROWS);
    this.added = new Uint8Array(FIRST_ROWS);
  }

  /** Appends the rows from `start` to `end` that add their quads, or those that delete them. */
  copyTo(quads: QuadColumns, added: boolean, start: number, end: number): void {
    const wanted = added ? 1 : 0;
    for (let row = start; row < end; row++) {
      if (this.added[row] === wanted) quads.push(this.s[row]!, this.p[row]!, this.o[row]!, this.g[row]!);
    }
  }

  /** The number of rows from `start` to `end` that add their quads. */
  countAdded(start: number, end: number): number {
    let count = 0;
    for (let row = start; row < end; row++) count += this.added[row]!;
    return count;
  }
}
