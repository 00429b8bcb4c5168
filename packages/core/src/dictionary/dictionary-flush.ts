/**
 * Writes new terms as full term blocks and a hash run: the terms of the tail, and those of a bulk load, which never
 * enter the tail. The caller holds the dictionary's lock. No quad refers to the new terms before the flush is done.
 */
import type { WriteOp } from '@quadrille/storage';
import type { Pacer } from '../runtime/env.js';
import { LONG_TERM_BYTES, Tag, TERM_BLOCK_IDS } from '../format/layout.js';
import { checkNumber, NEW_REPOSITORY } from '../format/numbers.js';
import { sortedRows } from '../runtime/radix-sort.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { Dictionary, TailTerm } from './dictionary.js';
import { FENCE_PAGES, longKey } from './dictionary.js';
import type { HashColumns, HashRun } from './hash-run.js';
import { HashRunWriter } from './hash-run.js';
import { storedEntry, TermBlockBuilder } from './term-block.js';
import { TermTable } from './term-table.js';

/** New terms of a bulk load: the texts at `indexes` of `table`, in order of first appearance. */
export interface FreshTerms {
  readonly table: TermTable;
  readonly indexes: Uint32Array;
  /** Called with the number of new ids whose texts are written so far. */
  readonly onWritten?: (ids: number) => void;
}

const NOTHING = new Uint8Array(0);
/** Largest size of the texts that a flush leaves in the tail, in bytes. The tail is in memory and is read at open. */
const MAX_REST_BYTES = 64 * 1024;
const NO_TERMS: FreshTerms = { table: new TermTable(16), indexes: new Uint32Array(0) };

/** Writes the tail and the fresh terms. Returns the id of the first fresh term; the ids of the others follow it. */
export async function flushTerms(dictionary: Dictionary, pacer: Pacer, fresh: FreshTerms = NO_TERMS): Promise<number> {
  checkHashRun(dictionary);
  const firstId = dictionary.reserve(fresh.indexes.length);
  dictionary.flushedFrom = firstId;
  try {
    await writeTerms(dictionary, pacer, fresh, firstId);
  } finally {
    dictionary.flushedFrom = undefined;
  }
  return firstId;
}

async function writeTerms(dictionary: Dictionary, pacer: Pacer, fresh: FreshTerms, firstId: number): Promise<void> {
  const { keyspace, root } = dictionary;
  const batch = new BatchWriter(dictionary);
  const texts = new NewTexts(dictionary, fresh, firstId);
  const blockMark = closeBlock(dictionary, texts);
  await writeBlocks(dictionary, texts, blockMark, batch, pacer);
  const run = await writeHashRun(dictionary, fresh, firstId, batch, pacer);
  const runs = run === undefined ? root.runs : [...root.runs, run];
  // Tail pieces below the mark are in blocks now. The rest of the tail becomes one piece.
  await dictionary.replace({ ...root, blockMark, nextRun: root.nextRun + 1, runs }, texts.from(blockMark), [
    { type: 'deleteRange', gte: keyspace.key(Tag.termTail, 0), lt: keyspace.key(Tag.termTail, root.nextId) },
  ]);
}

// Returns the new block mark. Ids of a block that is not full stay in the tail. If their texts are long, the block is
// written instead, and its remaining ids are never used.
function closeBlock(dictionary: Dictionary, texts: NewTexts): number {
  const { root } = dictionary;
  const started = root.nextId % TERM_BLOCK_IDS;
  const blockMark = root.nextId - started;
  if (texts.bytes(blockMark, root.nextId) <= MAX_REST_BYTES) return blockMark;
  dictionary.reserve(TERM_BLOCK_IDS - started);
  return root.nextId;
}

/** The texts that are not in blocks yet, by id. */
class NewTexts {
  constructor(
    private readonly dictionary: Dictionary,
    private readonly fresh: FreshTerms,
    private readonly firstFresh: number,
  ) {}

  /** The text of an id; `undefined` if no term has the id. */
  get(id: number): TailTerm | undefined {
    const { table, index } = this.#placeOf(id);
    if (index === -1) return undefined;
    return { id, text: table.text(index), high: table.highOf(index), low: table.lowOf(index) };
  }

  /** Bytes of the texts of the ids `first` to `end`, without `end`. */
  bytes(first: number, end: number): number {
    let bytes = 0;
    for (let id = first; id < end; id++) {
      const { table, index } = this.#placeOf(id);
      if (index !== -1) bytes += table.lengthOf(index);
    }
    return bytes;
  }

  /** Adds the entries of ids to a block until a text is long. Returns the id of that text, or `end`. */
  addShort(block: TermBlockBuilder, first: number, end: number): number {
    for (let id = first; id < end; id++) {
      const { table, index } = this.#placeOf(id);
      if (index === -1) block.add(NOTHING, 0, 0);
      else if (table.lengthOf(index) > LONG_TERM_BYTES) return id;
      else block.add(table.segmentOf(index), table.startOf(index), table.endOf(index));
    }
    return end;
  }

  #placeOf(id: number): { table: TermTable; index: number } {
    const { table, indexes } = this.fresh;
    const offset = id - this.firstFresh;
    if (offset >= 0 && offset < indexes.length) return { table, index: indexes[offset]! };
    return { table: this.dictionary.tail, index: this.dictionary.tailPlace(id) ?? -1 };
  }

  /** Reports that all texts below this id are written. */
  written(end: number): void {
    this.fresh.onWritten?.(Math.max(0, Math.min(this.fresh.indexes.length, end - this.firstFresh)));
  }

  /** Copies of the texts of all ids from `first` on. */
  from(first: number): TailTerm[] {
    const found: TailTerm[] = [];
    for (let id = first; id < this.dictionary.root.nextId; id++) {
      const text = this.get(id);
      if (text !== undefined) found.push({ ...text, text: text.text.slice() });
    }
    return found;
  }
}

async function writeBlocks(
  dictionary: Dictionary,
  texts: NewTexts,
  blockMark: number,
  batch: BatchWriter,
  pacer: Pacer,
): Promise<void> {
  const { keyspace } = dictionary;
  const builder = new TermBlockBuilder(TERM_BLOCK_IDS);
  for (let first = dictionary.root.blockMark; first < blockMark; first += TERM_BLOCK_IDS) {
    const end = first + TERM_BLOCK_IDS;
    for (let id = texts.addShort(builder, first, end); id < end; id = texts.addShort(builder, id + 1, end)) {
      await writeLongText(keyspace, texts.get(id)!, builder, batch);
      if (pacer.due()) await pacer.pause();
    }
    const block = first / TERM_BLOCK_IDS;
    putTerms(
      batch,
      keyspace.putParts(builder.finish(), (part) => keyspace.key(Tag.termBlock, block, part)),
    );
    if (batch.full) await batch.send();
    texts.written(end);
    if (pacer.due()) await pacer.pause();
  }
  await batch.flush();
}

// A long text is stored under keys of its own, in parts. The block holds its length and digest.
async function writeLongText(
  keyspace: Keyspace,
  { id, text }: TailTerm,
  block: TermBlockBuilder,
  batch: BatchWriter,
): Promise<void> {
  const entry = storedEntry(text);
  block.add(entry, 0, entry.length);
  for (const op of keyspace.putParts(text, (part) => longKey(keyspace, id, part))) {
    putTerms(batch, [op]);
    if (batch.full) await batch.send();
  }
}

// Terms are marked as lasting: they stay, while the runs in the same batch will be merged away.
function putTerms(batch: BatchWriter, ops: readonly WriteOp[]): void {
  for (const op of ops) if (op.type === 'put') batch.put(op.key, op.value, true);
}

async function writeHashRun(
  dictionary: Dictionary,
  fresh: FreshTerms,
  firstId: number,
  batch: BatchWriter,
  pacer: Pacer,
): Promise<HashRun | undefined> {
  const { tail, tailIds, keyspace, root } = dictionary;
  const count = tail.size + fresh.indexes.length;
  if (count === 0) return undefined;
  const high = new Uint32Array(count);
  const low = new Uint32Array(count);
  const ids = new Uint32Array(count);
  for (let i = 0; i < tail.size; i++) {
    high[i] = tail.highOf(i);
    low[i] = tail.lowOf(i);
    ids[i] = tailIds[i]!;
  }
  const { table, indexes } = fresh;
  await pacer.rows(indexes.length, (start, end) => {
    for (let i = start, at = tail.size + start; i < end; i++, at++) {
      high[at] = table.highOf(indexes[i]!);
      low[at] = table.lowOf(indexes[i]!);
      ids[at] = firstId + i;
    }
  });
  const writer = new HashRunWriter(keyspace, batch, root.nextRun);
  return appendSorted(writer, batch, { high, low, ids }, pacer);
}

const SLICE_ENTRIES = 1024;

// Writes all entries in hash order, then the fences.
async function appendSorted(
  writer: HashRunWriter,
  batch: BatchWriter,
  columns: HashColumns,
  pacer: Pacer,
): Promise<HashRun> {
  const sorted = await sortedRows(columns.high.length, [columns.high, columns.low], pacer);
  for (let at = 0; at < sorted.length; at += SLICE_ENTRIES) {
    writer.append(columns, sorted, at, Math.min(at + SLICE_ENTRIES, sorted.length));
    if (writer.full) await batch.send();
    if (pacer.due()) await pacer.pause();
  }
  const run = writer.finish();
  await writeFences(batch, run);
  return run;
}

async function writeFences(batch: BatchWriter, run: HashRun): Promise<void> {
  const { keyspace, entry } = run;
  const fences = new Uint8Array(entry.fences.slice().buffer);
  batch.add(keyspace.putParts(fences, (part) => keyspace.key(Tag.hashPage, entry.id, FENCE_PAGES + part)));
  await batch.flush();
}

/** Merges hash runs. One merge at a time. Does not hold the lock while it works, so new terms get ids meanwhile. */
export async function mergeHashRuns(dictionary: Dictionary, runs: readonly HashRun[], pacer: Pacer): Promise<void> {
  if (runs.length < 2) return;
  // Deletes the pages of runs that an earlier merge replaced or left unfinished. No reader uses them any more.
  await dictionary.lock.run(() => sweepHashRuns(dictionary));
  const merged = await combinedRun(dictionary, runs, pacer);
  await dictionary.lock.run(() => replaceHashRuns(dictionary, runs, merged));
}

/**
 * Merges runs into a new one, without the ids that are not `kept`. The new run is not in the root yet. The caller
 * does not hold the lock.
 */
export async function combinedRun(
  dictionary: Dictionary,
  runs: readonly HashRun[],
  pacer: Pacer,
  kept?: { has(id: number): boolean },
): Promise<HashRun | undefined> {
  const number = await dictionary.lock.run(() => newRunNumber(dictionary));
  const columns = await readRuns(runs, pacer, kept);
  return columns.ids.length === 0 ? undefined : writeRun(dictionary, number, columns, pacer);
}

/** Replaces runs by one run in the root. The caller holds the lock. */
export async function replaceHashRuns(
  dictionary: Dictionary,
  replaced: readonly HashRun[],
  run: HashRun | undefined,
): Promise<void> {
  const { root } = dictionary;
  const runs = root.runs.filter((other) => !replaced.includes(other));
  const first = Math.max(0, root.runs.indexOf(replaced[0]!));
  if (run !== undefined) runs.splice(first, 0, run);
  await dictionary.replaceRoot({ ...root, runs });
}

const checkHashRun = ({ root, keyspace }: Dictionary): void =>
  checkNumber(root.nextRun, `hash runs of repository ${keyspace.name}`, NEW_REPOSITORY);

/** The number of a new hash run. Deletes pages that a crash left under it. */
export async function newRunNumber(dictionary: Dictionary): Promise<number> {
  const { root, keyspace } = dictionary;
  checkHashRun(dictionary);
  const number = root.nextRun++;
  const range = { gte: keyspace.key(Tag.hashPage, number), lt: keyspace.key(Tag.hashPage, number + 1) };
  await dictionary.write([{ type: 'deleteRange', ...range }]);
  return number;
}

/** Writes a hash run of sorted or unsorted entries. */
export function writeRun(dictionary: Dictionary, number: number, columns: HashColumns, pacer: Pacer): Promise<HashRun> {
  const batch = new BatchWriter(dictionary);
  return appendSorted(new HashRunWriter(dictionary.keyspace, batch, number), batch, columns, pacer);
}

/** Deletes pages of hash runs that neither the root nor a reader in another thread names. */
export async function sweepHashRuns(dictionary: Dictionary): Promise<void> {
  const { keyspace, root } = dictionary;
  const named = [root.runs, ...dictionary.held].flat().map((run) => run.entry.id);
  const ops: WriteOp[] = [];
  let from = 0;
  for (const id of [...named, 0xffff_ffff].sort((x, y) => x - y)) {
    if (from < id)
      ops.push({ type: 'deleteRange', gte: keyspace.key(Tag.hashPage, from), lt: keyspace.key(Tag.hashPage, id) });
    from = id + 1;
  }
  await dictionary.write(ops);
}

async function readRuns(
  runs: readonly HashRun[],
  pacer: Pacer,
  kept?: { has(id: number): boolean },
): Promise<HashColumns> {
  const count = runs.reduce((sum, run) => sum + run.entry.entries, 0);
  const columns = { high: new Uint32Array(count), low: new Uint32Array(count), ids: new Uint32Array(count) };
  let at = 0;
  for (const run of runs) {
    for (let page = 0; page < run.pages; page++) {
      const [value] = await run.source.read([page]);
      at = copyPage(new Uint32Array(value!.slice().buffer), columns, at, kept);
      if (pacer.due()) await pacer.pause();
    }
  }
  const { high, low, ids } = columns;
  return { high: high.subarray(0, at), low: low.subarray(0, at), ids: ids.subarray(0, at) };
}

// Appends the entries of a page, without ids that are not `kept`. Returns the new end.
function copyPage(
  words: Uint32Array,
  { high, low, ids }: HashColumns,
  at: number,
  kept: { has(id: number): boolean } | undefined,
): number {
  const entries = words.length / 3;
  let filled = at;
  for (let i = 0; i < entries; i++) {
    const id = words[entries * 2 + i]!;
    if (kept?.has(id) === false) continue;
    high[filled] = words[i]!;
    low[filled] = words[entries + i]!;
    ids[filled++] = id;
  }
  return filled;
}
