/** Many scans one after the other whose patterns bind the same positions, with what they decode kept in between. */
import { MISS } from '../cache.js';
import { DEFAULT_GRAPH } from '../format.js';
import type { RowColumns } from './block-codec.js';
import { newRowColumns } from './block-codec.js';
import type { AccessPath, Order } from './orders.js';
import { accessPath, G } from './orders.js';
import { keyHash, keyPlaces } from './key-filter.js';
import type { ColumnFilter, RowSource } from './row-source.js';
import { MergeScan } from './scan.js';
import type { SeekKey, SeekSource, SeekSources } from './seek-source.js';

/** Which positions of a pattern are bound. */
export interface BoundPositions {
  readonly s: boolean;
  readonly p: boolean;
  readonly o: boolean;
  readonly g: boolean;
}

/** Makes the sources of a path, which look for the key as it stands when they are asked. */
export type OpenSources = (path: AccessPath, key: SeekKey) => SeekSources;

export interface SeekerOptions {
  /** Whether there may be quads outside the default graph. */
  readonly named: boolean;
  /** Whether {@link QuadSeeker.from} is read. */
  readonly revisions?: boolean;
}

const NO_ROWS = newRowColumns(0);

export class QuadSeeker {
  s: Uint32Array = NO_ROWS[0];
  p: Uint32Array = NO_ROWS[1];
  o: Uint32Array = NO_ROWS[2];
  g: Uint32Array = NO_ROWS[3];
  /** The revision in which each life began, where it was asked for. */
  from: Uint32Array = NO_ROWS[4];
  start = 0;
  end = 0;
  readonly #bound: BoundPositions;
  /** The default graph has another path than named ones. */
  #default: SeekLane | undefined;
  #other: SeekLane | undefined;
  #lane: SeekLane | undefined;

  constructor(
    bound: BoundPositions,
    private readonly open: OpenSources,
    private readonly options: SeekerOptions,
  ) {
    this.#bound = bound;
  }

  /** Begins the scan of another pattern; `next` then gives its first window. */
  seek(s: number, p: number, o: number, g: number): void {
    const inDefault = g === DEFAULT_GRAPH && this.#bound.g;
    const lane = inDefault
      ? (this.#default ??= this.#newLane(DEFAULT_GRAPH))
      : (this.#other ??= this.#newLane(this.#bound.g ? DEFAULT_GRAPH + 1 : 0));
    this.#lane = lane;
    lane.begin(s, p, o, g);
    this.start = this.end = 0;
  }

  #newLane(g: number): SeekLane {
    const { s, p, o } = this.#bound;
    const path = accessPath({ s: s ? 1 : 0, p: p ? 1 : 0, o: o ? 1 : 0, g });
    const { named, revisions = false } = this.options;
    const residual = path.residual.filter((position) => named || position !== G || g !== DEFAULT_GRAPH);
    return new SeekLane({ ...path, residual }, this.open, revisions);
  }

  /** Rows of the next window, 0 at the end, MISS where {@link fetch} has to be awaited first. */
  next(): number {
    const lane = this.#lane;
    if (lane === undefined) return 0;
    const rows = lane.next();
    if (rows <= 0) {
      this.start = this.end = 0;
      return rows;
    }
    const { columns, order } = lane;
    const { places } = order;
    this.s = columns[places[0]]!;
    this.p = columns[places[1]]!;
    this.o = columns[places[2]]!;
    this.g = columns[places[3]]!;
    this.from = columns[4];
    this.start = lane.start;
    this.end = lane.end;
    return rows;
  }

  async fetch(): Promise<void> {
    await this.#lane?.fetch();
  }

  close(): void {
    this.#default?.close();
    this.#other?.close();
    this.#lane = undefined;
  }
}

/** One order with its sources, and the key that they look for. */
class SeekLane {
  readonly order: Order;
  columns: RowColumns = NO_ROWS;
  start = 0;
  end = 0;
  readonly #ids = [0, 0, 0, 0];
  readonly #filters: { column: number; id: number }[];
  readonly #key: { ids: readonly number[]; prefix: number; filters: readonly ColumnFilter[]; hash: number };
  readonly #hashed: boolean;
  readonly #residual: readonly number[];
  readonly #sources: SeekSources;
  readonly #plus: SeekSource[] = [];
  readonly #minus: SeekSource[] = [];
  /** Sources that were asked for the key so far; the tombstones after the others. */
  #asked = 0;
  #located = true;
  #merge: MergeScan | undefined;
  #merging = false;
  #blocked: RowSource | undefined;

  constructor(
    path: AccessPath,
    open: OpenSources,
    private readonly revisions: boolean,
  ) {
    this.order = path.order;
    this.#residual = path.residual;
    this.#filters = path.residual.map((position) => ({ column: path.order.places[position]!, id: 0 }));
    this.#key = { ids: this.#ids, prefix: path.prefix, filters: this.#filters, hash: -1 };
    this.#hashed = path.prefix >= keyPlaces(path.order);
    this.#sources = open(path, this.#key);
  }

  begin(s: number, p: number, o: number, g: number): void {
    this.close();
    const ids = this.#ids;
    const { places } = this.order;
    ids[places[0]] = s;
    ids[places[1]] = p;
    ids[places[2]] = o;
    ids[places[3]] = g;
    for (let i = 0; i < this.#residual.length; i++) this.#filters[i]!.id = idAt(this.#residual[i]!, s, p, o, g);
    if (this.#hashed) this.#key.hash = keyHash(this.order, ids[0]!, ids[1]!);
    this.#asked = 0;
    this.#located = false;
  }

  next(): number {
    if (!this.#located && !this.#locate()) return MISS;
    if (this.#plus.length === 0) return 0;
    return this.#merging ? this.#nextMerged() : this.#nextOf(this.#plus[0]!);
  }

  // Asks each source whether it has the key: most have not.
  #locate(): boolean {
    const { plus, minus } = this.#sources;
    while (this.#asked < plus.length) {
      const source = plus[this.#asked]!;
      const found = source.seek();
      if (found === MISS) return this.#block(source);
      if (found > 0) this.#plus.push(source);
      this.#asked++;
    }
    while (this.#plus.length > 0 && this.#asked < plus.length + minus.length) {
      const source = minus[this.#asked - plus.length]!;
      const found = source.seek();
      if (found === MISS) return this.#block(source);
      if (found > 0) this.#minus.push(source);
      this.#asked++;
    }
    this.#begin();
    return true;
  }

  #block(source: RowSource): false {
    this.#blocked = source;
    return false;
  }

  #begin(): void {
    this.#located = true;
    const revisions = this.revisions || this.#minus.length > 0;
    for (const source of this.#plus) source.withRevisions(revisions);
    for (const source of this.#minus) source.withRevisions(true);
    this.#merging = this.#plus.length > 1 || this.#minus.length > 0;
    if (!this.#merging) return;
    if (this.#merge === undefined) this.#merge = new MergeScan(this.#plus, this.#minus);
    else this.#merge.restart(this.#plus, this.#minus);
  }

  #nextOf(source: SeekSource): number {
    const rows = source.fill();
    if (rows === MISS) this.#blocked = source;
    this.columns = source.columns;
    this.start = source.position;
    this.end = source.length;
    return rows;
  }

  #nextMerged(): number {
    const merge = this.#merge!;
    const rows = merge.next();
    this.#blocked = undefined;
    this.columns = merge.batch.columns;
    this.start = merge.batch.start;
    this.end = merge.batch.end;
    return rows;
  }

  async fetch(): Promise<void> {
    if (this.#blocked === undefined) return this.#merge?.fetch();
    const { run, block } = this.#blocked.missing();
    await run.cache.fetch(run.source, [block]);
  }

  /** Lets go of what the present key holds; another one may begin. */
  close(): void {
    for (let i = 0; i < this.#plus.length; i++) this.#plus[i]!.close();
    for (let i = 0; i < this.#minus.length; i++) this.#minus[i]!.close();
    this.#plus.length = this.#minus.length = 0;
    this.#located = true;
  }
}

function idAt(position: number, s: number, p: number, o: number, g: number): number {
  return position === 0 ? s : position === 1 ? p : position === 2 ? o : g;
}
