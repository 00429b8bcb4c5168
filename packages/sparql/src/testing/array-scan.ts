/** Scans over sorted arrays of quads by ids, for tests. */
import { MISS, type IdOrder, type IdPattern, type IdQuads, type IdScan, type IdSeeker } from '../dataset/id-dataset.js';

export type Position = 's' | 'p' | 'o' | 'g';
export type Columns = Readonly<Record<Position, Uint32Array>> & { readonly length: number };

export const positionsOf = (order: IdOrder): Position[] => [...order] as Position[];

/** The quads in an order; `gspo` has named graphs only. */
export function sortQuads(quads: IdQuads, order: IdOrder, isNamed: (graph: number) => boolean): Columns {
  const keys = positionsOf(order).map((position) => quads[position]);
  const rows = Array.from({ length: quads.length }, (_, row) => row).filter(
    (row) => order !== 'gspo' || isNamed(quads.g[row]!),
  );
  rows.sort((a, b) => {
    const key = keys.find((column) => column[a] !== column[b]);
    return key === undefined ? 0 : key[a]! - key[b]!;
  });
  const column = (position: Position): Uint32Array => Uint32Array.from(rows, (row) => quads[position][row]!);
  return { s: column('s'), p: column('p'), o: column('o'), g: column('g'), length: rows.length };
}

/** The order whose first positions are the most of those that the pattern binds. */
export function bestOrder(pattern: IdPattern, isNamed: (graph: number) => boolean): IdOrder {
  const orders: IdOrder[] =
    isNamed(pattern.g) && pattern.g !== 0 ? ['spog', 'posg', 'ospg', 'gspo'] : ['spog', 'posg', 'ospg'];
  const length = (order: IdOrder): number => {
    const open = positionsOf(order).findIndex((position) => pattern[position] === 0);
    return open === -1 ? 4 : open;
  };
  return orders.reduce((best, order) => (length(order) > length(best) ? order : best));
}

export interface ScanSettings {
  readonly windowRows: number;
  /** Whether each window has to be fetched first. */
  readonly misses: boolean;
}

/** The rows of some sorted columns that match a pattern and lie within bounds, window by window. */
export class ArrayScan implements IdScan, IdSeeker {
  s: Uint32Array;
  p: Uint32Array;
  o: Uint32Array;
  g: Uint32Array;
  start = 0;
  end = 0;
  #columns: Columns;
  #row = 0;
  #last = 0;
  #residual: readonly (readonly [Uint32Array, number])[] = [];
  #fetched = false;
  #closed = false;

  constructor(
    private readonly prepare: (pattern: IdPattern) => { columns: Columns; order: IdOrder },
    private readonly settings: ScanSettings,
    private readonly onClose: () => void,
  ) {
    this.#columns = { s: EMPTY, p: EMPTY, o: EMPTY, g: EMPTY, length: 0 };
    this.s = this.p = this.o = this.g = EMPTY;
  }

  seek(s: number, p: number, o: number, g: number): void {
    this.open({ s, p, o, g });
  }

  open(pattern: IdPattern, least = 0, greatest = 0xffff_ffff): void {
    if (this.#closed) throw new Error('the scan is closed');
    const { columns, order } = this.prepare(pattern);
    this.#columns = columns;
    const positions = positionsOf(order);
    const open = positions.findIndex((position) => pattern[position] === 0);
    const prefix = open === -1 ? positions : positions.slice(0, open);
    const bounds = prefix.map((position) => [columns[position], pattern[position], pattern[position]] as const);
    const next = positions[prefix.length];
    const range = next === undefined ? bounds : [...bounds, [columns[next], least, greatest] as const];
    [this.#row, this.#last] = [0, columns.length];
    for (const [column, from, to] of range) {
      const start = lowerBound(column, from, this.#row, this.#last);
      this.#last = lowerBound(column, to + 1, start, this.#last);
      this.#row = start;
    }
    const rest = positions.slice(prefix.length).filter((position) => pattern[position] !== 0);
    this.#residual = rest.map((position) => [columns[position], pattern[position]] as const);
    this.#fetched = false;
  }

  /** Rows that match, all of them. */
  count(): number {
    let count = 0;
    for (let row = this.#row; row < this.#last; row++) if (this.#matches(row)) count++;
    return count;
  }

  next(): number {
    if (this.#closed) throw new Error('the scan is closed');
    if (this.settings.misses && !this.#fetched) return MISS;
    this.#fetched = false;
    // Every window stands in its own place of arrays, so that nobody relies on the one before.
    const rows: number[] = [];
    while (this.#row < this.#last && rows.length < this.settings.windowRows) {
      if (this.#matches(this.#row)) rows.push(this.#row);
      this.#row++;
    }
    this.start = rows.length === 0 ? 0 : 1;
    this.end = this.start + rows.length;
    for (const position of ['s', 'p', 'o', 'g'] as const) {
      this[position].fill(0);
      this[position] = new Uint32Array(rows.length + 2);
      for (let i = 0; i < rows.length; i++) this[position][this.start + i] = this.#columns[position][rows[i]!]!;
    }
    return rows.length;
  }

  #matches(row: number): boolean {
    return this.#residual.every(([column, id]) => column[row] === id);
  }

  async fetch(): Promise<void> {
    await Promise.resolve();
    this.#fetched = true;
  }

  close(): void {
    if (!this.#closed) this.onClose();
    this.#closed = true;
  }
}

const EMPTY = new Uint32Array(0);

function lowerBound(column: Uint32Array, id: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
