/** Writes a run: cuts sorted rows into blocks and writes the block table last. */
import { StorageError } from '@quadrille/model';
import type { BatchWriter } from '../../keyspace/batch-writer.js';
import type { Keyspace } from '../../keyspace/keyspace.js';
import { countIds } from '../../runtime/count-ids.js';
import { BLOCK_ROWS, PART_BYTES, Tag } from '../../format/layout.js';
import type { RowColumns } from '../block/block-codec.js';
import { blockBounds, encodeBlock, newRowColumns } from '../block/block-codec.js';
import { SPOG } from '../orders.js';
import type { Order } from '../orders.js';
import type { BlockTable, RunEntry, RunKind } from './run.js';
import { blockTable, decodeBlockTable, encodeBlockTable, Run } from './run.js';
import { joinBytes } from '../../format/byte-codec.js';
import { Digest } from '../../format/digest.js';

/** Rows of one run. The block table has the number of each block's first row in 32 bits. */
export const MOST_ROWS = 0xffff_ffff;

/** Rows that a writer has room for at first. */
const FEW_ROWS = 64;

export class RunWriter {
  #rows = newRowColumns(FEW_ROWS);
  #filled = 0;
  #total = 0;
  readonly #fences: number[] = [];
  readonly #bounds: number[] = [];
  readonly #starts: number[] = [0];
  readonly #digest = new Digest();
  readonly #distinct: DistinctCounter;

  constructor(
    private readonly keyspace: Keyspace,
    private readonly batch: BatchWriter,
    readonly id: number,
    private readonly order: Order,
    private readonly kind: RunKind,
  ) {
    this.#distinct = new DistinctCounter(order);
  }

  get rows(): number {
    return this.#total + this.#filled;
  }

  /**
   * Appends the rows `start` to `end` of the columns. Returns true if the caller should flush the batch before it
   * appends more.
   */
  append(columns: RowColumns, start: number, end: number): boolean {
    for (let at = start; at < end;) {
      if (this.#filled === 0 && end - at >= BLOCK_ROWS) {
        this.#writeBlock(columns, at, (at += BLOCK_ROWS));
        continue;
      }
      const count = Math.min(end - at, BLOCK_ROWS - this.#filled);
      this.#reserve(this.#filled + count);
      for (let column = 0; column < columns.length; column++) {
        this.#rows[column]!.set(columns[column]!.subarray(at, at + count), this.#filled);
      }
      this.#filled += count;
      at += count;
      if (this.#filled === BLOCK_ROWS) this.#writeFilled();
    }
    return this.batch.full;
  }

  // Most runs of small stores are small, and room for a whole block has to be cleared.
  #reserve(rows: number): void {
    const room = this.#rows[0].length;
    if (rows <= room) return;
    const larger = newRowColumns(Math.min(BLOCK_ROWS, Math.max(rows, room * 4)));
    for (const [column, values] of this.#rows.entries()) larger[column]!.set(values.subarray(0, this.#filled));
    this.#rows = larger;
  }

  #writeFilled(): void {
    const rows = this.#filled;
    this.#filled = 0;
    this.#writeBlock(this.#rows, 0, rows);
  }

  #writeBlock(columns: RowColumns, start: number, end: number): void {
    if (this.#total + end - start > MOST_ROWS)
      throw new StorageError(
        'STORAGE_LIMIT',
        `repository ${this.keyspace.name}: a run has at most ${MOST_ROWS} rows, so larger ones are not merged`,
      );
    if (this.kind === 'live' || this.kind === 'base') this.#distinct.count(columns, start, end);
    const value = encodeBlock(columns, start, end);
    const block = this.#starts.length - 1;
    this.batch.put(this.keyspace.key(Tag.block, this.id, block), value);
    // The log names only runs of this order, together with their digest.
    if (this.order === SPOG) this.#digest.update(value);
    for (let column = 0; column < 4; column++) this.#fences.push(columns[column]![start]!);
    const bounds = blockBounds(new Uint32Array(value.buffer, value.byteOffset, 5), 0);
    this.#bounds.push(bounds.minFrom, bounds.maxFrom, bounds.minTo, bounds.maxTo);
    this.#total += end - start;
    this.#starts.push(this.#total);
  }

  /** Writes the last block and the block table. The run has no effect before the manifest names it. */
  async finish(entry: Pick<RunEntry, 'revision' | 'logOwned'>): Promise<{ run: Run; digest: Uint8Array }> {
    if (this.#filled > 0) this.#writeFilled();
    const table = blockTable(this.#starts.length - 1, this.#distinct.counts);
    table.fences.set(this.#fences);
    table.bounds.set(this.#bounds);
    table.starts.set(this.#starts);
    const parts = this.keyspace.putParts(encodeBlockTable(table), (part) =>
      this.keyspace.key(Tag.runMeta, this.id, part),
    );
    for (const op of parts) if (op.type === 'put') this.batch.put(op.key, op.value);
    await this.batch.flush();
    return {
      run: makeRun(
        this.keyspace,
        { ...entry, id: this.id, order: this.order, kind: this.kind, rows: this.#total },
        table,
      ),
      digest: this.#digest.finish(),
    };
  }
}

/** Counts distinct subjects (SPOG) or objects (POSG) by predicate. Rows must arrive sorted. */
class DistinctCounter {
  readonly counts = new Map<number, number>();
  /** The place of the predicate among the two leading places; -1 if the order is not counted. */
  readonly #place: number;
  /** The predicates of a block, one for each distinct pair of the leading places. */
  #predicates = new Uint32Array(0);
  #first = 0;
  #second = 0;

  constructor(order: Order) {
    this.#place = order.name === 'spog' ? 1 : order.name === 'posg' ? 0 : -1;
  }

  count(columns: RowColumns, start: number, end: number): void {
    if (this.#place === -1) return;
    const pairs = this.#takePairs(columns, start, end);
    countIds(this.counts, this.#predicates, 0, pairs);
  }

  #takePairs([a, b]: RowColumns, start: number, end: number): number {
    const predicates = this.#place === 0 ? a : b;
    if (this.#predicates.length < end - start) this.#predicates = new Uint32Array(end - start);
    let pairs = 0;
    for (let i = start; i < end; i++) {
      if (a[i] === this.#first && b[i] === this.#second) continue;
      this.#first = a[i]!;
      this.#second = b[i]!;
      this.#predicates[pairs++] = predicates[i]!;
    }
    return pairs;
  }
}

/** A run whose blocks are in the storage. */
export function makeRun(keyspace: Keyspace, entry: RunEntry, table: BlockTable): Run {
  const source = keyspace.source(`block of run ${entry.id}`, (block) => keyspace.key(Tag.block, entry.id, block));
  return new Run(entry, table, source, keyspace.cache);
}

/** Opens a run that the manifest names. */
export async function openRun(keyspace: Keyspace, entry: RunEntry): Promise<Run> {
  const table = await readParts(keyspace, `table of run ${entry.id}`, (part) =>
    keyspace.key(Tag.runMeta, entry.id, part),
  );
  return makeRun(keyspace, entry, decodeBlockTable(table));
}

/**
 * Reads a value that was written in parts. All parts but the last are full. @throws CorruptionError if there is no
 * part
 */
export async function readParts(
  keyspace: Keyspace,
  what: string,
  keyOf: (part: number) => Uint8Array,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  while (parts.length === 0 || parts.at(-1)!.length === PART_BYTES) {
    const value = await keyspace.getKey(keyOf(parts.length));
    if (value === undefined && parts.length === 0) throw keyspace.missing(what);
    if (value === undefined) break;
    parts.push(value);
  }
  return joinBytes(parts);
}

/** Like {@link readParts}, without waiting, from the first part on. Returns `undefined` without one. */
export function tryReadParts(
  keyspace: Keyspace,
  keyOf: (part: number) => Uint8Array,
  first = keyspace.tryGetKey(keyOf(0)),
): Uint8Array | undefined {
  if (first === undefined || first.length < PART_BYTES) return first;
  const parts = [first];
  while (parts.at(-1)!.length === PART_BYTES) {
    const next = keyspace.tryGetKey(keyOf(parts.length));
    if (next === undefined) break;
    parts.push(next);
  }
  return joinBytes(parts);
}
