/** The quads of one graph by ids, sorted in the orders that are asked for: what a query sees of a graph that is not stored. */
import type { BoundPositions, IdOrder, IdPattern, IdScan, IdSeeker, ScanOptions } from '@quadrille/sparql';

type Position = 's' | 'p' | 'o';
type Columns = Readonly<Record<Position, Uint32Array>>;

const WINDOW_ROWS = 4096;
const POSITIONS: Readonly<Record<IdOrder, readonly [Position, Position, Position]>> = {
  spog: ['s', 'p', 'o'],
  gspo: ['s', 'p', 'o'],
  posg: ['p', 'o', 's'],
  ospg: ['o', 's', 'p'],
};

export class GraphRows {
  readonly #sorted = new Map<IdOrder, Columns>();

  readonly graphColumn: Uint32Array;

  /** @param rows Each quad once. */
  constructor(
    private readonly rows: Columns,
    graph: number,
  ) {
    this.graphColumn = new Uint32Array(rows.s.length).fill(graph);
  }

  get length(): number {
    return this.rows.s.length;
  }

  scan(pattern: IdPattern, { order, least, greatest }: ScanOptions = {}): IdScan {
    const scan = new GraphScan(this, order ?? bestOrder(pattern));
    scan.open(pattern, least, greatest);
    return scan;
  }

  seeker({ s, p, o }: BoundPositions): IdSeeker {
    return new GraphScan(this, bestOrder({ s: Number(s), p: Number(p), o: Number(o) }));
  }

  count(pattern: IdPattern): number {
    const scan = this.scan(pattern);
    let count = 0;
    for (let rows = scan.next(); rows > 0; rows = scan.next()) count += rows;
    return count;
  }

  sorted(order: IdOrder): Columns {
    let columns = this.#sorted.get(order);
    if (columns === undefined) this.#sorted.set(order, (columns = this.#sort(POSITIONS[order])));
    return columns;
  }

  #sort([first, second, third]: readonly [Position, Position, Position]): Columns {
    const { [first]: a, [second]: b, [third]: c } = this.rows;
    const at = Uint32Array.from(a, (_, row) => row);
    at.sort((x, y) => a[x]! - a[y]! || b[x]! - b[y]! || c[x]! - c[y]!);
    const { s, p, o } = this.rows;
    return { s: at.map((row) => s[row]!), p: at.map((row) => p[row]!), o: at.map((row) => o[row]!) };
  }
}

/** The order in which what is bound comes first. */
function bestOrder({ s, p, o }: Pick<IdPattern, Position>): IdOrder {
  if (s !== 0) return p === 0 && o !== 0 ? 'ospg' : 'spog';
  if (p !== 0) return 'posg';
  return o === 0 ? 'spog' : 'ospg';
}

class GraphScan implements IdSeeker {
  start = 0;
  end = 0;
  #s: Uint32Array = new Uint32Array(0);
  #p: Uint32Array = this.#s;
  #o: Uint32Array = this.#s;
  #at = 0;

  constructor(
    private readonly rows: GraphRows,
    private readonly order: IdOrder,
  ) {}

  get s(): Uint32Array {
    return this.#s;
  }
  get p(): Uint32Array {
    return this.#p;
  }
  get o(): Uint32Array {
    return this.#o;
  }
  get g(): Uint32Array {
    return this.rows.graphColumn;
  }

  seek(s: number, p: number, o: number, g: number): void {
    this.open({ s, p, o, g });
  }

  /** What is bound at the beginning of the order is found by halving, the rest by looking. */
  open(pattern: IdPattern, least = 0, greatest = 0xffff_ffff): void {
    const sorted = this.rows.sorted(this.order);
    const positions = POSITIONS[this.order];
    let [from, to] = [0, this.rows.length];
    let depth = 0;
    for (; depth < 3 && pattern[positions[depth]!] !== 0; depth++) {
      const column = sorted[positions[depth]!];
      const id = pattern[positions[depth]!];
      [from, to] = [lowerBound(column, id, from, to), lowerBound(column, id + 1, from, to)];
    }
    const open = positions[depth];
    if (open !== undefined) {
      from = lowerBound(sorted[open], least, from, to);
      to = lowerBound(sorted[open], greatest + 1, from, to);
    }
    const rest = positions.slice(depth + 1).filter((position) => pattern[position] !== 0);
    if (rest.length === 0)
      this.#show(sorted.s.subarray(from, to), sorted.p.subarray(from, to), sorted.o.subarray(from, to));
    else {
      const fits = (row: number): boolean => rest.every((position) => sorted[position][row] === pattern[position]);
      const found = Uint32Array.from({ length: to - from }, (_, i) => from + i).filter(fits);
      this.#show(
        found.map((row) => sorted.s[row]!),
        found.map((row) => sorted.p[row]!),
        found.map((row) => sorted.o[row]!),
      );
    }
  }

  #show(s: Uint32Array, p: Uint32Array, o: Uint32Array): void {
    [this.#s, this.#p, this.#o] = [s, p, o];
    [this.start, this.end, this.#at] = [0, 0, 0];
  }

  next(): number {
    this.start = this.#at;
    this.end = Math.min(this.#s.length, this.start + WINDOW_ROWS);
    this.#at = this.end;
    return this.end - this.start;
  }

  async fetch(): Promise<void> {}
  close(): void {}
}

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
