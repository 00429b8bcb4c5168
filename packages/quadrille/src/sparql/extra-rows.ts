/** The quads of the option `extraGraphs` by ids, sorted in the orders that are asked for. */
import type { IdOrder, IdPattern, IdScan, ScanOptions } from '@quadrille/sparql';

type Position = 's' | 'p' | 'o' | 'g';
export type QuadColumns = Readonly<Record<Position, Uint32Array>>;

export const columnsFor = (rows: number): QuadColumns => ({
  s: new Uint32Array(rows),
  p: new Uint32Array(rows),
  o: new Uint32Array(rows),
  g: new Uint32Array(rows),
});

const WINDOW_ROWS = 4096;

/** The positions of an order, the first one first. */
export const positionsOf = (order: IdOrder): readonly Position[] => ORDERS[order];
const ORDERS: Readonly<Record<IdOrder, readonly [Position, Position, Position, Position]>> = {
  spog: ['s', 'p', 'o', 'g'],
  gspo: ['g', 's', 'p', 'o'],
  posg: ['p', 'o', 's', 'g'],
  ospg: ['o', 's', 'p', 'g'],
};

/** The order in which the positions that a pattern binds come first. */
export function bestOrder({ s, p, o, g }: IdPattern): IdOrder {
  if (s !== 0) return p === 0 && o !== 0 ? 'ospg' : 'spog';
  if (p !== 0) return 'posg';
  if (o !== 0) return 'ospg';
  return g === 0 ? 'spog' : 'gspo';
}

export class ExtraRows {
  readonly #sorted = new Map<IdOrder, QuadColumns>();

  /** @param rows Each quad once. */
  constructor(private readonly rows: QuadColumns) {}

  scan(pattern: IdPattern, { order, least, greatest }: ScanOptions = {}): IdScan {
    const chosen = order ?? bestOrder(pattern);
    return new ExtraScan(selected(this.#inOrder(chosen), positionsOf(chosen), pattern, least, greatest));
  }

  count(pattern: IdPattern): number {
    const order = bestOrder(pattern);
    return selected(this.#inOrder(order), positionsOf(order), pattern).s.length;
  }

  #inOrder(order: IdOrder): QuadColumns {
    let columns = this.#sorted.get(order);
    if (columns === undefined) this.#sorted.set(order, (columns = sorted(this.rows, positionsOf(order))));
    return columns;
  }
}

function sorted(rows: QuadColumns, positions: readonly Position[]): QuadColumns {
  const [a, b, c, d] = positions.map((position) => rows[position]) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const at = Uint32Array.from(a, (_, row) => row);
  at.sort((x, y) => a[x]! - a[y]! || b[x]! - b[y]! || c[x]! - c[y]! || d[x]! - d[y]!);
  return picked(rows, at);
}

const picked = ({ s, p, o, g }: QuadColumns, at: Uint32Array): QuadColumns => ({
  s: at.map((row) => s[row]!),
  p: at.map((row) => p[row]!),
  o: at.map((row) => o[row]!),
  g: at.map((row) => g[row]!),
});

/** The rows that match: those of the first bound positions are found by halving, the others by looking at each row. */
function selected(
  rows: QuadColumns,
  positions: readonly Position[],
  pattern: IdPattern,
  least = 0,
  greatest = 0xffff_ffff,
): QuadColumns {
  let [from, to] = [0, rows.s.length];
  let depth = 0;
  for (; depth < positions.length && pattern[positions[depth]!] !== 0; depth++) {
    const column = rows[positions[depth]!];
    const id = pattern[positions[depth]!];
    [from, to] = [lowerBound(column, id, from, to), lowerBound(column, id + 1, from, to)];
  }
  const open = positions[depth];
  if (open !== undefined) {
    from = lowerBound(rows[open], least, from, to);
    to = lowerBound(rows[open], greatest + 1, from, to);
  }
  const rest = positions.slice(depth + 1).filter((position) => pattern[position] !== 0);
  if (rest.length === 0) {
    const part = (column: Uint32Array): Uint32Array => column.subarray(from, to);
    return { s: part(rows.s), p: part(rows.p), o: part(rows.o), g: part(rows.g) };
  }
  const fits = (row: number): boolean => rest.every((position) => rows[position][row] === pattern[position]);
  return picked(rows, Uint32Array.from({ length: to - from }, (_, i) => from + i).filter(fits));
}

class ExtraScan implements IdScan {
  start = 0;
  end = 0;
  readonly s: Uint32Array;
  readonly p: Uint32Array;
  readonly o: Uint32Array;
  readonly g: Uint32Array;

  constructor({ s, p, o, g }: QuadColumns) {
    [this.s, this.p, this.o, this.g] = [s, p, o, g];
  }

  next(): number {
    this.start = this.end;
    this.end = Math.min(this.s.length, this.start + WINDOW_ROWS);
    return this.end - this.start;
  }

  async fetch(): Promise<void> {}
  close(): void {}
}

/** A scan without rows. */
export const emptyScan = (): IdScan => new ExtraScan(columnsFor(0));

/** The first row from `from` to `to` whose id is not below. */
function lowerBound(column: Uint32Array, id: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
