/** What a transaction changes, in memory: only what differs from the base. */
import { EndedColumns, QuadColumns } from '../../index/quad-columns.js';
import { FIRST_LOCAL_ID, FOREVER, UNPUBLISHED } from '../../format/layout.js';
import { Memtable } from '../../index/index-version.js';
import type { RowTable } from '../../index/memtable/row-table.js';
import { markIntervals } from '../../index/read/mark-intervals.js';
import type { Snapshot } from '../../read/snapshot.js';
import type { IdQuads } from '../../revision/record.js';
import type { Pacer } from '../../runtime/env.js';
import type { LastChanges } from './pending-changes.js';

/** `to` of rows that the transaction itself took back: an addition that ended, a tombstone that was lifted. */
export const TAKEN_BACK = 0;
/** Six columns, places in the table and in sorted segments. */
const ROW_BYTES = 64;
const FOUND = 1;

export class StagedChanges extends Memtable {
  /** Quads, changes included. */
  size: number;

  constructor(private readonly base: Snapshot) {
    super(true);
    this.size = base.record.size;
  }

  get bytes(): number {
    return this.rows * ROW_BYTES;
  }

  /** Applies changes, each quad once and sorted. What is there already is no addition, what is not there no removal. */
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

  /** Removes quads whose intervals in the base are known, 0 where a quad is not there. */
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

  // The revisions in which the intervals of sorted quads in the base began; 0 where a quad is not there.
  async #intervals(quads: IdQuads, pacer: Pacer): Promise<Uint32Array> {
    const { s, p, o, g, length } = quads;
    const from = new Uint32Array(length);
    const stored = new Uint32Array(length);
    let count = 0;
    await pacer.rows(length, (start, end) => {
      for (let i = start; i < end; i++)
        if (s[i]! < FIRST_LOCAL_ID && p[i]! < FIRST_LOCAL_ID && o[i]! < FIRST_LOCAL_ID && g[i]! < FIRST_LOCAL_ID)
          stored[count++] = i;
    });
    const rows = { columns: [s, p, o, g, from, from] as const, length };
    const { state: index, number } = this.base;
    const marks = new Uint8Array(length);
    await markIntervals(rows, stored.subarray(0, count), marks, FOUND, { index, number }, pacer);
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

  /** The additions that stand. */
  async netAdded(pacer: Pacer): Promise<QuadColumns> {
    const net = new QuadColumns();
    await standing(this.added, pacer, (row, [s, p, o, g]) => net.push(s[row]!, p[row]!, o[row]!, g[row]!));
    return net;
  }

  /** The removals that stand. */
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
