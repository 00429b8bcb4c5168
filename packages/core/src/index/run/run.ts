/**
 * A run: an immutable sorted list of blocks in one order. Memory holds only its block table: the first row of each
 * block (its fence) and the bounds by which a scan skips blocks. Blocks are read through the cache.
 */
import type { BlockCache, ValueSource } from '../../keyspace/block-cache.js';
import { MISS } from '../../keyspace/block-cache.js';
import { ByteReader, ByteWriter } from '../../format/byte-codec.js';
import { GROUP_ROWS } from '../../format/layout.js';
import type { FoundRows } from '../block/block-codec.js';
import { decodeColumn, findEqual, FROM, groupStart, TO } from '../block/block-codec.js';
import type { Order } from '../orders.js';
import { ORDERS } from '../orders.js';
import { Positions } from './positions.js';

/**
 * - `live`: quads that are present unless a tombstone ends them.
 * - `tombstone`: ends of intervals. Each row has the `from` of the live row that it ends, and `to`.
 * - `history`: complete intervals, which have no live row.
 * - `base`: of a line, copies of the quads that are present in its base where it begins. Tombstones of the line end them.
 */
export type RunKind = 'live' | 'tombstone' | 'history' | 'base';
const KINDS: readonly RunKind[] = ['live', 'tombstone', 'history', 'base'];

/** A run in SPOG order that the log names. */
export interface PayloadRun {
  readonly run: number;
  readonly rows: number;
  /** Digest of the run's blocks. */
  readonly digest: Uint8Array;
}

/** The entry of a run in the manifest. */
export interface RunEntry {
  readonly id: number;
  readonly order: Order;
  readonly kind: RunKind;
  readonly rows: number;
  /** The common `from` of all rows (in a `tombstone` run: the common `to`). 0 if the blocks store it row by row. */
  readonly revision: number;
  /** Whether the log names this run as the payload of a revision. Then its blocks stay when it is merged away. A trim ends that. */
  logOwned: boolean;
}

export function writeRunEntry(writer: ByteWriter, entry: RunEntry): void {
  writer.varint(entry.id).u8(entry.order.number).u8(KINDS.indexOf(entry.kind));
  writer
    .varint(entry.rows)
    .varint(entry.revision)
    .u8(entry.logOwned ? 1 : 0);
}

export function readRunEntry(reader: ByteReader): RunEntry {
  return {
    id: reader.varint(),
    order: ORDERS[reader.u8()]!,
    kind: KINDS[reader.u8()]!,
    rows: reader.varint(),
    revision: reader.varint(),
    logOwned: reader.u8() === 1,
  };
}

/** The table of a run's blocks in memory. */
export interface BlockTable {
  /** First row of each block: four ids a block. */
  readonly fences: Uint32Array;
  /** Row number of the first row of each block, then the number of rows. */
  readonly starts: Uint32Array;
  /** Least and greatest `from`, least and greatest `to`: four numbers a block. */
  readonly bounds: Uint32Array;
  /**
   * Number of distinct subjects (in SPOG) or objects (in POSG) of each predicate, for estimates. Empty in the other
   * orders.
   */
  readonly distinct: ReadonlyMap<number, number>;
}

export function blockTable(blocks: number, distinct: ReadonlyMap<number, number> = new Map()): BlockTable {
  return {
    distinct,
    fences: new Uint32Array(blocks * 4),
    starts: new Uint32Array(blocks + 1),
    bounds: new Uint32Array(blocks * 4),
  };
}

const UNKNOWN = -1;
const probe = new Uint32Array(GROUP_ROWS);
const found: FoundRows = { start: 0, end: 0 };

export class Run {
  readonly blocks: number;
  /** Least and greatest `from`, least and greatest `to` of all blocks. */
  readonly bounds: readonly [number, number, number, number];
  /** Number of index versions and jobs that use the run. Its blocks are deleted only at 0, for which nobody waits. */
  readers = 0;
  /** Called when the manifest no longer names the run and its last reader has ended. */
  onUnused: (() => void) | undefined;
  #endOfLast = UNKNOWN;
  #positions: Positions | undefined;
  #greatest = UNKNOWN;

  constructor(
    readonly entry: RunEntry,
    readonly table: BlockTable,
    readonly source: ValueSource,
    readonly cache: BlockCache,
  ) {
    this.blocks = table.starts.length - 1;
    this.bounds = overallBounds(table.bounds, entry);
  }

  retain(): void {
    this.readers++;
  }

  release(): void {
    this.readers--;
    if (this.readers === 0) this.onUnused?.();
  }

  /** The block that holds a row. */
  blockOf(row: number): number {
    const { starts } = this.table;
    let low = 0;
    let high = this.blocks - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (starts[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Whether the first id of every row is below `id`. Also false if the last block would have to be fetched. */
  endsBelow(id: number): boolean {
    if (this.#greatest === UNKNOWN) {
      const last = this.blocks - 1;
      const at = last < 0 ? MISS : this.find(last);
      if (at === MISS) return false;
      const group = this.groupsOf(last) - 1;
      decodeColumn(this.cache.words, at, 0, group, group + 1, probe);
      this.#greatest = probe[(this.entry.rows - this.table.starts[last]! - 1) % GROUP_ROWS]!;
    }
    return this.#greatest < id;
  }

  /** Number of groups of a block. */
  groupsOf(block: number): number {
    return Math.ceil((this.table.starts[block + 1]! - this.table.starts[block]!) / GROUP_ROWS);
  }

  /** Whether the first row of a block has these first ids. */
  startsWith(block: number, ids: readonly number[], prefix: number): boolean {
    return comparePrefix(this.table.fences, block * 4, ids, prefix) === 0;
  }

  /** Word offset of a block in the cache's slab, or {@link MISS}. */
  find(block: number): number {
    const offset = this.cache.find(this.source, block);
    return offset === MISS ? MISS : offset >>> 2;
  }

  /**
   * The number of the first row whose first `prefix` ids are not below `ids`; with `after`, are above `ids`. Reads at
   * most one block, {@link boundaryBlock}. Returns {@link MISS} if that block must be fetched first.
   */
  locate(ids: readonly number[], prefix: number, after: boolean): number {
    const positions = (this.#positions ??= new Positions());
    if (positions.find(ids, prefix, after)) {
      this.#endOfLast = positions.end;
      return positions.row;
    }
    const block = this.boundaryBlock(ids, prefix, after);
    this.#endOfLast = UNKNOWN;
    if (block < 0) return 0;
    const at = this.find(block);
    if (at === MISS) return MISS;
    const row = this.table.starts[block]! + this.#rowInBlock(at, block, ids, prefix, after);
    positions.keep(ids, prefix, after, row, this.#endOfLast);
    return row;
  }

  /** The block that {@link locate} searches; -1 if the answer is row 0. */
  boundaryBlock(ids: readonly number[], prefix: number, after: boolean): number {
    const { fences } = this.table;
    let low = 0;
    let high = this.blocks;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = comparePrefix(fences, middle * 4, ids, prefix);
      if (order < 0 || (after && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The blocks that have to be fetched to find the first row of a key: two where it begins at a fence. */
  *blocksOf(ids: readonly number[], prefix: number): Generator<number, void, undefined> {
    const block = this.boundaryBlock(ids, prefix, false);
    if (block >= 0 && this.find(block) === MISS) yield block;
    const next = block + 1;
    if (next < this.blocks && this.startsWith(next, ids, prefix) && this.find(next) === MISS) yield next;
  }

  #rowInBlock(at: number, block: number, ids: readonly number[], prefix: number, after: boolean): number {
    const { words } = this.cache;
    const rows = this.table.starts[block + 1]! - this.table.starts[block]!;
    const group = lastGroupBelow(words, at, this.groupsOf(block), ids, prefix, after);
    if (group < 0) return 0;
    const first = group * GROUP_ROWS;
    const count = Math.min(rows - first, GROUP_ROWS);
    found.start = 0;
    found.end = count;
    // Narrows the range column by column: the next column ascends within rows that are equal in the columns before.
    for (let column = 0; column < prefix && found.start < found.end; column++)
      findEqual(words, at, column, group, ids[column]!, found);
    if (after) return first + found.end;
    // If the range ends inside the group, its end is known too.
    this.#endOfLast = found.end < count ? this.table.starts[block]! + first + found.end : UNKNOWN;
    return first + found.start;
  }

  /** The end of the range whose start the last {@link locate} found; -1 if it is in another group. */
  get endOfLast(): number {
    return this.#endOfLast;
  }

  /** Whether the blocks store the `from` or `to` of each row. If all rows have the same value, the entry stores it. */
  holdsRevisions(column: typeof FROM | typeof TO): boolean {
    const { kind, revision } = this.entry;
    return revision === 0 || (kind === 'tombstone' ? column !== TO : column !== FROM);
  }

  /** Decodes the `from` or `to` column of the groups `firstGroup` to `lastGroup` of the block at word `at`. */
  revisionColumn(
    at: number,
    column: typeof FROM | typeof TO,
    firstGroup: number,
    lastGroup: number,
    out: Uint32Array,
  ): void {
    if (!this.holdsRevisions(column)) {
      out.fill(this.entry.revision, 0, (lastGroup - firstGroup) * GROUP_ROWS);
      return;
    }
    decodeColumn(this.cache.words, at, column, firstGroup, lastGroup, out);
  }

  /** Least `from` of a block's rows. */
  minFrom(block: number): number {
    return this.entry.revision !== 0 && this.entry.kind !== 'tombstone'
      ? this.entry.revision
      : this.table.bounds[block * 4]!;
  }

  maxFrom(block: number): number {
    return this.entry.revision !== 0 && this.entry.kind !== 'tombstone'
      ? this.entry.revision
      : this.table.bounds[block * 4 + 1]!;
  }

  minTo(block: number): number {
    return this.entry.revision !== 0 && this.entry.kind === 'tombstone'
      ? this.entry.revision
      : this.table.bounds[block * 4 + 2]!;
  }

  maxTo(block: number): number {
    return this.entry.revision !== 0 && this.entry.kind === 'tombstone'
      ? this.entry.revision
      : this.table.bounds[block * 4 + 3]!;
  }
}

function overallBounds(bounds: Uint32Array, entry: RunEntry): [number, number, number, number] {
  const all: [number, number, number, number] = [0xffff_ffff, 0, 0xffff_ffff, 0];
  for (let i = 0; i < bounds.length; i += 4) {
    all[0] = Math.min(all[0], bounds[i]!);
    all[1] = Math.max(all[1], bounds[i + 1]!);
    all[2] = Math.min(all[2], bounds[i + 2]!);
    all[3] = Math.max(all[3], bounds[i + 3]!);
  }
  if (entry.revision !== 0) {
    const at = entry.kind === 'tombstone' ? 2 : 0;
    all[at] = all[at + 1] = entry.revision;
  }
  return all;
}

function comparePrefix(rows: Uint32Array, at: number, ids: readonly number[], prefix: number): number {
  for (let i = 0; i < prefix; i++) {
    const difference = rows[at + i]! - ids[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The last group whose first row is below the ids (with `after`: not above them); -1 if there is none. */
export function lastGroupBelow(
  words: Uint32Array,
  at: number,
  groups: number,
  ids: readonly number[],
  prefix: number,
  after: boolean,
): number {
  let low = 0;
  let high = groups;
  while (low < high) {
    const middle = (low + high) >>> 1;
    let order = 0;
    for (let i = 0; i < prefix && order === 0; i++) order = groupStart(words, at, i, middle) - ids[i]!;
    if (order < 0 || (after && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function lowerBound(values: Uint32Array, from: number, to: number, id: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function upperBound(values: Uint32Array, from: number, to: number, id: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Encodes a block table: the number of blocks, its three arrays, then the number and pairs of `distinct`. */
export function encodeBlockTable(table: BlockTable): Uint8Array {
  const blocks = table.starts.length - 1;
  const head = 2 + blocks * 9;
  const words = new Uint32Array(head + 1 + table.distinct.size * 2);
  words[0] = blocks;
  words.set(table.fences, 1);
  words.set(table.bounds, 1 + blocks * 4);
  words.set(table.starts, 1 + blocks * 8);
  words[head] = table.distinct.size;
  let at = head + 1;
  for (const [predicate, count] of table.distinct) {
    words[at++] = predicate;
    words[at++] = count;
  }
  return new Uint8Array(words.buffer);
}

export function decodeBlockTable(bytes: Uint8Array): BlockTable {
  const words = new Uint32Array(bytes.slice().buffer);
  const blocks = words[0]!;
  const head = 2 + blocks * 9;
  const distinct = new Map<number, number>();
  for (let i = 0; i < words[head]!; i++) distinct.set(words[head + 1 + i * 2]!, words[head + 2 + i * 2]!);
  return {
    fences: words.slice(1, 1 + blocks * 4),
    bounds: words.slice(1 + blocks * 4, 1 + blocks * 8),
    starts: words.slice(1 + blocks * 8, 2 + blocks * 9),
    distinct,
  };
}
