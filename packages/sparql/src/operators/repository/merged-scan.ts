/** Several scans of one order as one. */
import { MISS, type IdOrder, type IdScan } from '../../dataset/id-dataset.js';
import { positionsOf } from './repository-graph.js';

const FIRST_ROWS = 64;
const WINDOW_ROWS = 4096;

/** A scan and its next row. */
interface Source {
  readonly scan: IdScan;
  row: number;
}

export class MergedScan implements IdScan {
  // Small at first: seeks find few rows.
  #capacity = FIRST_ROWS;
  s = new Uint32Array(FIRST_ROWS);
  p = new Uint32Array(FIRST_ROWS);
  o = new Uint32Array(FIRST_ROWS);
  g = new Uint32Array(FIRST_ROWS);
  readonly start = 0;
  end = 0;
  #sources: Source[];
  #missing: IdScan | undefined;
  readonly #keys: ReturnType<typeof positionsOf>;

  /** Rows of the first scan are left out in graphs that the others stand for. */
  constructor(
    private readonly scans: readonly IdScan[],
    private readonly hidden: ReadonlySet<number>,
    order: IdOrder,
  ) {
    this.#sources = scans.map((scan) => ({ scan, row: 0 }));
    this.#keys = positionsOf(order);
  }

  next(): number {
    if (this.end === this.#capacity && this.#capacity < WINDOW_ROWS) this.#grow();
    this.end = 0;
    while (this.end < this.#capacity) {
      if (!this.#advance()) return this.end === 0 ? MISS : this.end;
      const first = this.#first();
      if (first === undefined) break;
      this.#take(first);
    }
    return this.end;
  }

  // Brings every scan to its next row, and drops those that have none. False: one has to fetch it.
  #advance(): boolean {
    for (const source of this.#sources) {
      const isLeft = this.#find(source);
      if (isLeft === MISS) return false;
      if (isLeft === 0) this.#sources = this.#sources.filter((other) => other !== source);
    }
    return true;
  }

  #find(source: Source): number {
    const { scan } = source;
    const isHiding = scan === this.scans[0];
    for (;;) {
      for (; source.row < scan.end; source.row++) {
        if (!isHiding || !this.hidden.has(scan.g[source.row]!)) return 1;
      }
      const rows = scan.next();
      if (rows === MISS) this.#missing = scan;
      if (rows <= 0) return rows;
      source.row = scan.start;
    }
  }

  #first(): Source | undefined {
    let first: Source | undefined;
    for (const source of this.#sources) if (first === undefined || this.#isBefore(source, first)) first = source;
    return first;
  }

  #isBefore(a: Source, b: Source): boolean {
    for (const key of this.#keys) {
      const difference = a.scan[key][a.row]! - b.scan[key][b.row]!;
      if (difference !== 0) return difference < 0;
    }
    return false;
  }

  #take(source: Source): void {
    const { scan } = source;
    const row = source.row++;
    const to = this.end++;
    this.s[to] = scan.s[row]!;
    this.p[to] = scan.p[row]!;
    this.o[to] = scan.o[row]!;
    this.g[to] = scan.g[row]!;
  }

  #grow(): void {
    this.#capacity *= 8;
    [this.s, this.p, this.o, this.g] = [1, 2, 3, 4].map(() => new Uint32Array(this.#capacity)) as [
      Uint32Array<ArrayBuffer>,
      Uint32Array<ArrayBuffer>,
      Uint32Array<ArrayBuffer>,
      Uint32Array<ArrayBuffer>,
    ];
  }

  fetch(): Promise<void> {
    return this.#missing!.fetch();
  }

  close(): void {
    for (const scan of this.scans) scan.close();
  }
}
