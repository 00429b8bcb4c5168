/** A seeker in one order: asks its sources for a key and merges those that have it. */
import { MISS } from '../../keyspace/block-cache.js';
import type { RowColumns } from '../block/block-codec.js';
import { newRowColumns } from '../block/block-codec.js';
import { keyHash, keyPlaces } from '../memtable/key-filter.js';
import type { AccessPath, Order } from '../orders.js';
import type { ColumnFilter, RowSource } from './row-source.js';
import { MergeScan } from './merge-scan.js';
import type { SeekKey, SeekSource, SeekSources } from './seek-source.js';

/** Opens the sources of a path. They look up the key in its state at the time of each seek. */
export type OpenSources = (path: AccessPath, key: SeekKey) => SeekSources;

/** Blocks that are fetched at once. */
const BLOCKS_AHEAD = 64;

const NO_ROWS = newRowColumns(0);

/** One order with its sources and the key that they look up. */
export class SeekLane {
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
  /** Number of sources that were asked for the key so far; sources of tombstones come last. */
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

  // Asks each source whether it has the key. Most do not.
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

  async fetch(ahead: Iterable<readonly [number, number, number, number]> = []): Promise<void> {
    if (this.#blocked === undefined) return this.#merge?.fetch();
    const { run, block } = this.#blocked.missing();
    const wanted = new Set([block]);
    const { places } = this.order;
    const ids = [0, 0, 0, 0];
    for (const key of ahead) {
      for (let position = 0; position < places.length; position++) ids[places[position]!] = key[position]!;
      for (const each of run.blocksOf(ids, this.#key.prefix)) wanted.add(each);
      if (wanted.size >= BLOCKS_AHEAD) break;
    }
    await run.cache.fetch(run.source, [...wanted]);
  }

  /** Releases the windows of the present key. Another key may begin. */
  close(): void {
    closeAll(this.#plus);
    closeAll(this.#minus);
    this.#located = true;
  }
}

// One by one: an array whose length is set to 0 gets new memory with the next source.
function closeAll(sources: SeekSource[]): void {
  for (let source = sources.pop(); source !== undefined; source = sources.pop()) source.close();
}

function idAt(position: number, s: number, p: number, o: number, g: number): number {
  return position === 0 ? s : position === 1 ? p : position === 2 ? o : g;
}
