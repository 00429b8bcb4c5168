/**
 * Finds the ids of many texts together. Texts are looked up in hash order, so that each page of a hash run is read
 * once. Texts with equal hashes are compared in id order, so that each term block is read once.
 */
import { MISS } from '../keyspace/block-cache.js';
import type { Pacer } from '../runtime/env.js';
import { sortedRows } from '../runtime/radix-sort.js';
import { flushTerms } from './dictionary-flush.js';
import type { Dictionary } from './dictionary.js';
import type { HashRun } from './hash-run.js';
import { HashRunCursor } from './hash-run.js';
import type { TermTable } from './term-table.js';

/** Up to this many texts are looked up without waiting first, where all is in memory. */
export const FEW_TEXTS = 4096;
/** Lookups between two looks at the clock. */
const STEPS_AT_ONCE = 256;
/** Texts that are looked up in the tail between two looks at the clock. */
const SLICE_TEXTS = 4096;

/** The texts of a table from index `first` on, and their ids. The id is 0 if it is unknown. */
export interface TextIds {
  readonly table: TermTable;
  readonly first: number;
  readonly ids: Uint32Array;
}

/**
 * Looks up texts, at most {@link FEW_TEXTS}, as long as all that this reads is in memory. The caller holds the dictionary's lock. Returns
 * false if something must be fetched.
 */
export function findInMemory(dictionary: Dictionary, texts: TextIds): boolean {
  const { table, first, ids } = texts;
  const cursors = dictionary.root.runs.map((run) => new HashRunCursor(run));
  const sorted = rowsByHash(texts);
  for (let i = 0; i < sorted.length; i++) {
    const row = sorted[i]! % FEW_TEXTS;
    const index = first + row;
    const segment = table.segmentOf(index);
    const start = table.startOf(index);
    const high = table.highOf(index);
    const id = dictionary.tryFindHashed(segment, start, table.endOf(index), high, table.lowOf(index), cursors);
    if (id === MISS) return false;
    ids[row] = id;
  }
  return true;
}

// Numbers that sort by hash. Their remainders by FEW_TEXTS are the rows.
function rowsByHash({ table, first, ids }: TextIds): Float64Array {
  const rows = new Float64Array(ids.length);
  for (let row = 0; row < rows.length; row++) rows[row] = table.highOf(first + row) * FEW_TEXTS + row;
  return rows.sort();
}

/** Looks up texts in hash runs. Skips a run that is merged into another one meanwhile. */
export async function findInRuns(
  dictionary: Dictionary,
  runs: readonly HashRun[],
  texts: TextIds,
  pacer: Pacer,
): Promise<void> {
  if (runs.length === 0) return;
  const hashes = await hashesOf(texts, pacer);
  const sorted = await sortedRows(texts.ids.length, [hashes.high, hashes.low], pacer);
  const found = { rows: [] as number[], ids: [] as number[] };
  for (const run of runs) await findCandidates(dictionary, run, hashes, sorted, found, pacer);
  await verifyCandidates(dictionary, texts, found.rows, new Uint32Array(found.ids), pacer);
}

async function hashesOf({ table, first, ids }: TextIds, pacer: Pacer): Promise<Hashes> {
  const high = new Uint32Array(ids.length);
  const low = new Uint32Array(ids.length);
  await pacer.rows(ids.length, (start, end) => {
    for (let row = start; row < end; row++) {
      high[row] = table.highOf(first + row);
      low[row] = table.lowOf(first + row);
    }
  });
  return { high, low };
}

interface Hashes {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** Texts by row, and the ids of texts with the same hash. */
interface Candidates {
  readonly rows: number[];
  readonly ids: number[];
}

async function findCandidates(
  dictionary: Dictionary,
  run: HashRun,
  hashes: Hashes,
  sorted: Uint32Array,
  found: Candidates,
  pacer: Pacer,
): Promise<void> {
  const step = new CandidateStep(new HashRunCursor(run), hashes, sorted, found);
  const { cache } = dictionary.keyspace;
  let { root } = dictionary;
  while (step.at < sorted.length) {
    if (dictionary.root !== root) ({ root } = dictionary);
    // A merged run may lose its pages. The run that replaced it is searched later, under the lock.
    if (!root.runs.includes(run)) return;
    try {
      const page = step.take(Math.min(step.at + STEPS_AT_ONCE, sorted.length));
      if (page !== DONE) await cache.fetch(run.source, [page]);
    } catch (error) {
      if (dictionary.root.runs.includes(run)) throw error;
      return;
    }
    if (pacer.due()) await pacer.pause();
  }
}

const DONE = -1;

/** The loop over rows, which V8 would optimise late and badly inside an async function. */
class CandidateStep {
  at = 0;
  readonly #ids: number[] = [];

  constructor(
    private readonly cursor: HashRunCursor,
    private readonly hashes: Hashes,
    private readonly sorted: Uint32Array,
    private readonly found: Candidates,
  ) {}

  /** Looks up texts before `end`. Returns the page that must be fetched first, or {@link DONE}. */
  take(end: number): number {
    const { high, low } = this.hashes;
    const ids = this.#ids;
    for (; this.at < end; this.at++) {
      const row = this.sorted[this.at]!;
      ids.length = 0;
      const page = this.cursor.candidates(high[row]!, low[row]!, ids);
      if (page !== MISS) return page;
      for (const id of ids) {
        this.found.rows.push(row);
        this.found.ids.push(id);
      }
    }
    return DONE;
  }
}

async function verifyCandidates(
  dictionary: Dictionary,
  texts: TextIds,
  rows: readonly number[],
  candidates: Uint32Array,
  pacer: Pacer,
): Promise<void> {
  const sorted = await sortedRows(candidates.length, [candidates], pacer);
  const step = { at: 0 };
  while (step.at < sorted.length) {
    if (!verifySome(dictionary, texts, rows, candidates, sorted, step)) await dictionary.fetchMissing();
    else if (pacer.due()) await pacer.pause();
  }
}

// Returns false if something must be fetched first.
function verifySome(
  dictionary: Dictionary,
  { table, first, ids }: TextIds,
  rows: readonly number[],
  candidates: Uint32Array,
  sorted: Uint32Array,
  step: { at: number },
): boolean {
  for (let bytes = 0; step.at < sorted.length && bytes < BYTES_AT_ONCE; step.at++) {
    const n = sorted[step.at]!;
    const index = first + rows[n]!;
    const id = candidates[n]!;
    const start = table.startOf(index);
    const end = table.endOf(index);
    const same = dictionary.tryMatches(id, table.segmentOf(index), start, end);
    if (same === MISS) return false;
    if (same === 1) ids[rows[n]!] = id;
    bytes += end - start + TEXT_OVERHEAD;
  }
  return true;
}

/** Overhead of one text, in bytes, and the bytes compared between two looks at the clock. */
const TEXT_OVERHEAD = 128;
const BYTES_AT_ONCE = 64 * 1024;

/** Looks up the texts that have no id yet in the dictionary's tail. The caller holds the dictionary's lock. */
export async function findInTail(dictionary: Dictionary, texts: TextIds, pacer: Pacer): Promise<void> {
  if (dictionary.tail.size === 0) return;
  await pacer.rows(texts.ids.length, (start, end) => findSliceInTail(dictionary, texts, start, end), SLICE_TEXTS);
}

function findSliceInTail(
  { tail, tailIds }: Dictionary,
  { table, first, ids }: TextIds,
  start: number,
  end: number,
): void {
  for (let row = start; row < end; row++) {
    if (ids[row] !== 0) continue;
    const index = first + row;
    const segment = table.segmentOf(index);
    const high = table.highOf(index);
    const found = tail.find(segment, table.startOf(index), table.endOf(index), high, table.lowOf(index));
    if (found !== -1) ids[row] = tailIds[found]!;
  }
}

/**
 * Assigns ids to the texts that have none. A few short texts join the dictionary's tail; otherwise they are written
 * as blocks. The caller holds the dictionary's lock. `onShare` gets the share that is written, from 0 to 1.
 */
export async function assignIds(
  dictionary: Dictionary,
  texts: TextIds,
  pacer: Pacer,
  onShare: (share: number) => void,
): Promise<void> {
  const { table } = texts;
  const indexes = withoutId(texts);
  const { loadTailTerms, tailBytes } = dictionary.keyspace.tuning;
  if (indexes.length > loadTailTerms || textBytes(table, indexes) > tailBytes) {
    const onWritten = (written: number): void => onShare(written / indexes.length);
    giveIds(texts, indexes, await flushTerms(dictionary, pacer, { table, indexes, onWritten }));
    return;
  }
  const first = dictionary.reserve(indexes.length);
  giveIds(texts, indexes, first);
  for (let i = 0; i < indexes.length; i++) {
    const index = indexes[i]!;
    const segment = table.segmentOf(index);
    const high = table.highOf(index);
    dictionary.addTail(first + i, segment, table.startOf(index), table.endOf(index), high, table.lowOf(index));
  }
}

// The indexes of the texts without an id.
function withoutId({ first, ids }: TextIds): Uint32Array {
  const indexes = new Uint32Array(ids.length);
  let found = 0;
  for (let row = 0; row < ids.length; row++) if (ids[row] === 0) indexes[found++] = first + row;
  return indexes.subarray(0, found);
}

function giveIds({ first, ids }: TextIds, indexes: Uint32Array, firstId: number): void {
  for (let i = 0; i < indexes.length; i++) ids[indexes[i]! - first] = firstId + i;
}

function textBytes(table: TermTable, indexes: Uint32Array): number {
  let bytes = 0;
  for (let i = 0; i < indexes.length; i++) bytes += table.lengthOf(indexes[i]!);
  return bytes;
}
