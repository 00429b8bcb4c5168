/** The changes of a transaction in memory: only the quads that differ from the base. */
import type { IdQuads } from '../../index/quad-columns.js';
import { EndedColumns, QuadColumns } from '../../index/quad-columns.js';
import { FIRST_LOCAL_ID, FOREVER, UNPUBLISHED } from '../../format/layout.js';
import { Memtable } from '../../index/index-version.js';
import type { RowTable } from '../../index/memtable/row-table.js';
import { IntervalMarker } from '../../index/read/mark-intervals.js';
import type { Snapshot } from '../../read/snapshot.js';
import type { Pacer } from '../../runtime/env.js';
import type { LastChanges } from './pending-changes.js';

/** The `to` of a row that the transaction itself has undone: an addition or a tombstone. */
export const TAKEN_BACK = 0;
/** Memory of one row, in bytes: six columns, hash table, sorted segments. */
const ROW_BYTES = 64;
const FOUND = 1;
const NONE = new Uint32Array(0);

export class StagedChanges extends Memtable {
  /** Number of quads in the transaction, including its changes. */
  size: number;

  /** Finds quads in the base. One for all changes: many transactions change one quad after the other. */
  readonly #inBase: IntervalMarker;

  constructor(base: Snapshot) {
    super(true);
    this.size = base.record.size;
    this.#inBase = new IntervalMarker({ index: base.index, number: base.number });
  }

  get bytes(): number {
    return this.rows * ROW_BYTES;
  }

  /**
   * Applies changes, which are sorted and have each quad once. Skips additions of present quads and removals of
   * absent ones.
   */
  async apply({ added, removed }: LastChanges, pacer: Pacer): Promise<void> {
    const addedFrom = await this.#intervals(added, pacer);
    const removedFrom = await this.#intervals(removed, pacer);
    await pacer.rows(added.length, (start, end) => {
      const { s, p, o, g } = added;
      for (let i = start; i < end; i++) this.#add(s[i]!, p[i]!, o[i]!, g[i]!, addedFrom[i]!);
    });
    await pacer.rows(removed.length, (start, end) => {
      const { s, p, o, g } = removed;
      for (let i = start; i < end; i++) this.#remove(s[i]!, p[i]!, o[i]!, g[i]!, removedFrom[i]!);
    });
    await this.#sort(pacer);
  }

  /** Removes quads. `from` is the start of their interval in the base, 0 if the base lacks the quad. */
  async remove(quads: EndedColumns, pacer: Pacer): Promise<void> {
    const { s, p, o, g, from } = quads;
    await pacer.rows(quads.length, (start, end) => {
      for (let i = start; i < end; i++) this.#remove(s[i]!, p[i]!, o[i]!, g[i]!, from[i]!);
    });
    await this.#sort(pacer);
  }

  async #sort(pacer: Pacer): Promise<void> {
    await this.added.sort(pacer);
    await this.removed.sort(pacer);
  }

  // The `from` of sorted quads in the base; 0 if the base lacks the quad.
  async #intervals(quads: IdQuads, pacer: Pacer): Promise<Uint32Array> {
    const { s, p, o, g, length } = quads;
    if (length === 0) return NONE;
    const from = new Uint32Array(length);
    const stored = new Uint32Array(length);
    let count = 0;
    await pacer.rows(length, (start, end) => {
      for (let i = start; i < end; i++)
        if (s[i]! < FIRST_LOCAL_ID && p[i]! < FIRST_LOCAL_ID && o[i]! < FIRST_LOCAL_ID && g[i]! < FIRST_LOCAL_ID)
          stored[count++] = i;
    });
    const rows = { columns: [s, p, o, g, from, from] as const, length };
    await this.#inBase.mark(rows, stored.subarray(0, count), new Uint8Array(length), FOUND, pacer);
    return from;
  }

  #add(s: number, p: number, o: number, g: number, interval: number): void {
    const { added, removed } = this;
    const own = added.latest(s, p, o, g);
    if (own !== -1 && added.columns[5][own] === FOREVER) return;
    const tombstone = removed.latest(s, p, o, g);
    if (tombstone !== -1 && removed.columns[5][tombstone] !== TAKEN_BACK) removed.end(tombstone, TAKEN_BACK);
    else if (tombstone !== -1 || interval !== 0) return;
    else added.add(s, p, o, g, UNPUBLISHED, FOREVER);
    this.size++;
  }

  #remove(s: number, p: number, o: number, g: number, interval: number): void {
    const { added, removed } = this;
    const own = added.latest(s, p, o, g);
    if (own !== -1 && added.columns[5][own] === FOREVER) {
      added.end(own, TAKEN_BACK);
    } else {
      const tombstone = removed.latest(s, p, o, g);
      if (interval === 0 || (tombstone !== -1 && removed.columns[5][tombstone] !== TAKEN_BACK)) return;
      if (tombstone === -1) removed.add(s, p, o, g, interval, FOREVER);
      else removed.end(tombstone, FOREVER);
    }
    this.size--;
  }

  /** The additions that were not undone. */
  async netAdded(pacer: Pacer): Promise<QuadColumns> {
    const net = new QuadColumns();
    await standing(this.added, pacer, (row, [s, p, o, g]) => net.push(s[row]!, p[row]!, o[row]!, g[row]!));
    return net;
  }

  /** The removals that were not undone. */
  async netRemoved(pacer: Pacer): Promise<EndedColumns> {
    const net = new EndedColumns();
    await standing(this.removed, pacer, (row, [s, p, o, g, from]) =>
      net.pushEnded(s[row]!, p[row]!, o[row]!, g[row]!, from[row]!),
    );
    return net;
  }
}

async function standing(
  { rows, columns }: RowTable,
  pacer: Pacer,
  use: (row: number, columns: RowTable['columns']) => void,
): Promise<void> {
  const to = columns[5];
  await pacer.rows(rows, (start, end) => {
    for (let row = start; row < end; row++) if (to[row] !== TAKEN_BACK) use(row, columns);
  });
}
