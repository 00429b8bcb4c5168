/** Collects the quads of an update by ids before any of them is applied. */
import { RowStore } from '../../execute/table/id-table.js';
import type { Memory } from '../../control/memory.js';
import type { IdQuads } from '../../dataset/id-dataset.js';

export class QuadBuffer {
  readonly #rows: RowStore;

  constructor(memory: Memory) {
    this.#rows = new RowStore(4, memory);
  }

  get length(): number {
    return this.#rows.length;
  }

  push(s: number, p: number, o: number, g: number): void {
    this.#rows.reserve(1);
    const { columns, length } = this.#rows;
    columns[0]![length] = s;
    columns[1]![length] = p;
    columns[2]![length] = o;
    columns[3]![length] = g;
    this.#rows.length++;
  }

  /** Parts of at most `size` quads. */
  *parts(size: number): Generator<IdQuads> {
    for (let start = 0; start < this.length; start += size) {
      const end = Math.min(start + size, this.length);
      const [s, p, o, g] = this.#rows.columns.map((column) => column.subarray(start, end));
      yield { s: s!, p: p!, o: o!, g: g!, length: end - start };
    }
  }

  free(): void {
    this.#rows.free();
  }
}
