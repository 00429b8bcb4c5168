/** Scans of all graphs together: stored quads and those of the option `extraGraphs`, in one order. */
import type { IdOrder, IdPattern, IdScan, IdSeeker, SoughtIds } from '@quadrille/sparql';
import { columnsFor, emptyScan, positionsOf } from './extra-rows.js';

// The constant of `@quadrille/sparql`, which is loaded with the first query only: this file is loaded with the library.
const MISS: typeof import('@quadrille/sparql').MISS = -1;
const FIRST_ROWS = 64;
const WINDOW_ROWS = 4096;

type Graphs = { has(graph: number): boolean };

/** Rows of two scans of the same order, merged. Rows of the first one are left out in graphs that the second one hides. */
export class OverlaidScan implements IdScan {
  // Small at first: seeks find few rows.
  #columns = columnsFor(FIRST_ROWS);
  readonly #keys: ReturnType<typeof positionsOf>;
  readonly start = 0;
  end = 0;
  /** The next rows of the two. */
  #storedRow = 0;
  #extraRow = 0;

  constructor(
    private readonly stored: IdScan,
    private readonly extra: IdScan,
    private readonly hidden: Graphs,
    order: IdOrder,
  ) {
    this.#keys = positionsOf(order);
  }

  get s(): Uint32Array {
    return this.#columns.s;
  }
  get p(): Uint32Array {
    return this.#columns.p;
  }
  get o(): Uint32Array {
    return this.#columns.o;
  }
  get g(): Uint32Array {
    return this.#columns.g;
  }

  next(): number {
    const rows = this.#columns.s.length;
    if (this.end === rows && rows < WINDOW_ROWS) this.#columns = columnsFor(rows * 8);
    this.end = 0;
    while (this.end < this.#columns.s.length) {
      const found = this.#findStored();
      if (found === MISS) return this.end === 0 ? MISS : this.end;
      const more = this.#findExtra();
      if (found === 0 && !more) break;
      if (found > 0 && (!more || this.#storedIsFirst())) this.#take(this.stored, this.#storedRow++);
      else this.#take(this.extra, this.#extraRow++);
    }
    return this.end;
  }

  /** Goes to the next stored row that is not hidden: 0 where there is none, {@link MISS} where it has to be fetched. */
  #findStored(): number {
    for (;;) {
      for (; this.#storedRow < this.stored.end; this.#storedRow++) {
        if (!this.hidden.has(this.stored.g[this.#storedRow]!)) return 1;
      }
      const rows = this.stored.next();
      if (rows <= 0) return rows;
      this.#storedRow = this.stored.start;
    }
  }

  #findExtra(): boolean {
    if (this.#extraRow < this.extra.end) return true;
    if (this.extra.next() === 0) return false;
    this.#extraRow = this.extra.start;
    return true;
  }

  #storedIsFirst(): boolean {
    for (const key of this.#keys) {
      const difference = this.stored[key][this.#storedRow]! - this.extra[key][this.#extraRow]!;
      if (difference !== 0) return difference < 0;
    }
    return true;
  }

  #take(scan: IdScan, row: number): void {
    const to = this.end++;
    this.#columns.s[to] = scan.s[row]!;
    this.#columns.p[to] = scan.p[row]!;
    this.#columns.o[to] = scan.o[row]!;
    this.#columns.g[to] = scan.g[row]!;
  }

  fetch(): Promise<void> {
    return this.stored.fetch();
  }

  close(): void {
    this.stored.close();
    this.extra.close();
  }
}

/** Seeks in one graph or in all (0): those in what `isOverlaid` says are scans, the others go to the store. */
export class OverlaidSeeker implements IdSeeker {
  #stored: IdSeeker | undefined;
  #current: IdScan = emptyScan();

  constructor(
    private readonly isOverlaid: (graph: number) => boolean,
    private readonly scan: (pattern: IdPattern) => IdScan,
    private readonly openStored: () => IdSeeker,
  ) {}

  get s(): Uint32Array {
    return this.#current.s;
  }
  get p(): Uint32Array {
    return this.#current.p;
  }
  get o(): Uint32Array {
    return this.#current.o;
  }
  get g(): Uint32Array {
    return this.#current.g;
  }
  get start(): number {
    return this.#current.start;
  }
  get end(): number {
    return this.#current.end;
  }

  seek(s: number, p: number, o: number, g: number): void {
    if (this.#current !== this.#stored) this.#current.close();
    if (this.isOverlaid(g)) {
      this.#current = this.scan({ s, p, o, g });
      return;
    }
    this.#stored ??= this.openStored();
    this.#stored.seek(s, p, o, g);
    this.#current = this.#stored;
  }

  next(): number {
    return this.#current.next();
  }
  fetch(ahead?: Iterable<SoughtIds>): Promise<void> {
    return this.#current === this.#stored ? this.#stored.fetch(ahead) : this.#current.fetch();
  }
  close(): void {
    this.#current.close();
    this.#stored?.close();
  }
}
