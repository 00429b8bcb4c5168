/**
 * Writes the kept part of a repository to a storage that does not have it. Terms and log are copied byte for byte, so
 * that ids, times and digests of revisions stay the same. The indexes are rebuilt from them.
 */
import type { PayloadRun } from '../index/run/run.js';
import { rebuildClosed } from '../integrity/rebuild.js';
import { Dictionary, longKey } from '../dictionary/dictionary.js';
import { encodeTermBlock, LONG_ENTRY } from '../dictionary/term-block.js';
import { FIRST_TERM_ID, readU32, Tag, TERM_BLOCK_IDS } from '../format/layout.js';
import { blockBounds, groupStart } from '../index/block/block-codec.js';
import { blockTable, encodeBlockTable } from '../index/run/run.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { decodeRecord, encodeHead } from '../revision/record.js';
import type { RevisionRecord } from '../revision/record.js';
import { NO_STATISTICS, Statistics } from '../index/statistics.js';
import type { Env, Pacer } from '../runtime/env.js';
import { TrimmedNumbers } from '../revision/trimmed-numbers.js';
import { BlockRows, ownRows, payloadBlocks, payloadRuns, SIDES } from './payload.js';
import type { DeltaRows, PayloadBlock, Side } from './payload.js';
import { readLongText, readTerms } from './read-terms.js';
import type { KnownIds } from './read-terms.js';

/** The parameters of a copy. */
export interface Copy {
  readonly from: Keyspace;
  readonly to: Keyspace;
  readonly known: KnownIds;
  /** Lowest id of a term that nothing kept needs. */
  readonly mark: number;
  /** The last kept revision. */
  readonly last: RevisionRecord;
  readonly env: Env;
  readonly pacer: Pacer;
}

/**
 * Copies a repository and ends the target keyspace. @throws CorruptionError if data are damaged that could be read
 * before
 */
export async function copyRepository(copy: Copy): Promise<void> {
  const { to, last, env } = copy;
  const batch = new BatchWriter(to);
  await copyTerms(copy, batch);
  await new LogCopy(copy, batch).all();
  batch.put(to.key(Tag.head), encodeHead(last));
  await batch.flush();
  await rebuildClosed(to, env);
}

// Writes all terms as full blocks. Ids without a term get empty entries, and the last block is filled with them.
async function copyTerms(copy: Copy, batch: BatchWriter): Promise<void> {
  const { from, to, mark, env, pacer } = copy;
  const blocks = mark <= FIRST_TERM_ID ? 0 : Math.ceil(mark / TERM_BLOCK_IDS);
  let next = 0;
  for await (const { first, entries } of readTerms(from, pacer)) {
    const block = first / TERM_BLOCK_IDS;
    if (block >= blocks) break;
    for (; next < block; next++) putBlock(to, batch, next, NO_ENTRIES);
    putBlock(to, batch, next++, await copiedEntries(copy, first, entries, batch));
    if (batch.full) await batch.send();
  }
  for (; next < blocks; next++) putBlock(to, batch, next, NO_ENTRIES);
  const dictionary = await Dictionary.open(to, new DataView(env.random(new Uint8Array(4)).buffer).getUint32(0), 0);
  const blockMark = blocks * TERM_BLOCK_IDS;
  batch.add([dictionary.rootOp({ ...dictionary.root, nextId: Math.max(blockMark, FIRST_TERM_ID), blockMark })]);
}

const NO_TERM = new Uint8Array(0);
const NO_ENTRIES: readonly Uint8Array[] = Array.from({ length: TERM_BLOCK_IDS }, () => NO_TERM);

// The entries of the terms that a kept revision can use. Writes long texts at once.
async function copiedEntries(
  { from, to, known, mark }: Copy,
  first: number,
  entries: readonly Uint8Array[],
  batch: BatchWriter,
): Promise<readonly Uint8Array[]> {
  const copied: Uint8Array[] = [];
  for (const [i, entry] of entries.entries()) {
    const id = first + i;
    const kept = id < mark && known.has(id);
    copied.push(kept ? entry : NO_TERM);
    if (!kept || entry[0] !== LONG_ENTRY) continue;
    const text = await readLongText(from, id, entry);
    for (const op of to.putParts(text, (part) => longKey(to, id, part))) {
      batch.add([op]);
      if (batch.full) await batch.send();
    }
  }
  return copied;
}

function putBlock(to: Keyspace, batch: BatchWriter, block: number, entries: readonly Uint8Array[]): void {
  batch.add(to.putParts(encodeTermBlock(entries), (part) => to.key(Tag.termBlock, block, part)));
}

/** Copies the records and the runs that they name, and counts the statistics. */
class LogCopy {
  readonly #statistics = new Statistics();
  readonly #blockRows = new BlockRows();
  #checkpoint = 1;

  constructor(
    private readonly copy: Copy,
    private readonly batch: BatchWriter,
  ) {}

  async all(): Promise<void> {
    const { from, to, last, pacer } = this.copy;
    this.batch.put(to.key(Tag.statistics, 1, 0), NO_STATISTICS);
    await this.#removed();
    for (let number = 1; number <= last.number; number++) {
      number = (await TrimmedNumbers.of(from)).next(number);
      const bytes = await from.get(Tag.log, number);
      if (bytes === undefined) throw from.missing(`revision ${number}`);
      await this.#revision(decodeRecord(bytes));
      this.batch.put(to.key(Tag.log, number), bytes);
      if (this.batch.full) await this.batch.send();
      if (pacer.due()) await pacer.pause();
    }
  }

  // The ids and times of revisions that were trimmed.
  async #removed(): Promise<void> {
    const { from, to, last } = this.copy;
    for await (const { rest, value } of from.entries(Tag.trimmed)) {
      if (readU32(rest, 0) < last.number)
        this.batch.put(to.key(Tag.trimmed, readU32(rest, 0), readU32(rest, 4)), value);
      if (this.batch.full) await this.batch.send();
    }
  }

  async #revision(record: RevisionRecord): Promise<void> {
    for (const side of SIDES) {
      this.#count(ownRows(record[side]), side);
      for (const run of payloadRuns(record, side)) await this.#run(run, side);
    }
    const { to, pacer } = this.copy;
    const due = Math.max(to.tuning.checkpointRevisions, this.#statistics.entries / 16);
    if (record.payload === undefined && record.number - this.#checkpoint < due) return;
    this.#checkpoint = record.number;
    const encoded = await this.#statistics.encode(pacer);
    this.batch.add(to.putParts(encoded, (part) => to.key(Tag.statistics, record.number, part)));
  }

  #count({ columns: [, p, , g], length }: DeltaRows, side: Side): void {
    this.#statistics.apply({ p, g, length }, side === 'added' ? 1 : -1);
  }

  async #run(run: PayloadRun, side: Side): Promise<void> {
    const { from, to, pacer } = this.copy;
    const table = new TableOfBlocks();
    for await (const block of payloadBlocks(from, run)) {
      this.batch.put(to.key(Tag.block, run.run, block.block), block.value);
      this.#count(this.#blockRows.of(block), side);
      table.add(block);
      if (this.batch.full) await this.batch.send();
      if (pacer.due()) await pacer.pause();
    }
    this.batch.add(to.putParts(table.encode(), (part) => to.key(Tag.runMeta, run.run, part)));
  }
}

/** Builds the block table of a run from its blocks. */
class TableOfBlocks {
  readonly #fences: number[] = [];
  readonly #bounds: number[] = [];
  readonly #starts: number[] = [0];

  add({ words, rows }: PayloadBlock): void {
    for (let column = 0; column < 4; column++) this.#fences.push(groupStart(words, 0, column, 0));
    const { minFrom, maxFrom, minTo, maxTo } = blockBounds(words, 0);
    this.#bounds.push(minFrom, maxFrom, minTo, maxTo);
    this.#starts.push(this.#starts.at(-1)! + rows);
  }

  encode(): Uint8Array {
    const table = blockTable(this.#starts.length - 1);
    table.fences.set(this.#fences);
    table.bounds.set(this.#bounds);
    table.starts.set(this.#starts);
    return encodeBlockTable(table);
  }
}
