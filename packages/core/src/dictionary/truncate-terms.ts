/**
 * Deletes the newest terms and frees their space, after a load failed that had assigned their ids. No revision uses
 * them. The ids are assigned again later, so no state in memory may refer to them.
 */
import type { WriteOp } from '@quadrille/storage';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { Env } from '../runtime/env.js';
import { Pacer } from '../runtime/env.js';
import { Tag, tagRange, TERM_BLOCK_IDS } from '../format/layout.js';
import { combinedRun, sweepHashRuns } from './dictionary-flush.js';
import { sweepTermBlocks } from './rebuild-hash-runs.js';
import { Dictionary } from './dictionary.js';
import type { TailTerm } from './dictionary.js';
import type { HashRun } from './hash-run.js';
import { hashHigh, hashLow, hashTerm } from './hash.js';
import { storedEntry, termBlockEntries } from './term-block.js';

/**
 * Largest number of entries of a hash run that is rewritten without the deleted terms. If a run has more older terms,
 * nothing is deleted.
 */
const REWRITTEN_ENTRIES = 1 << 16;

/**
 * Deletes the terms with ids from `mark` on, where `mark` is the lowest id that no revision uses. Also deletes what
 * an unfinished flush of terms left. The caller holds the dictionary's lock, and opens the dictionary again
 * afterwards.
 */
export async function truncateTerms(keyspace: Keyspace, mark: number, env: Env): Promise<void> {
  const freeing = keyspace.freeing();
  const dictionary = await Dictionary.open(freeing, 0, mark);
  await sweepTermBlocks(dictionary);
  await sweepHashRuns(dictionary);
  const { root } = dictionary;
  if (root.nextId <= mark) return;
  const runs = await runsBefore(dictionary, mark, new Pacer(env));
  if (runs === undefined) return;
  const blockMark = Math.min(root.blockMark, mark - (mark % TERM_BLOCK_IDS));
  const kept = await termsBetween(dictionary, blockMark, mark);
  await dictionary.replace({ ...root, nextId: mark, blockMark, runs }, kept, rangesFrom(freeing, blockMark, mark));
  await sweepHashRuns(dictionary);
}

/** The runs without the terms from `mark` on; undefined if a run would be too large to rewrite. */
async function runsBefore(dictionary: Dictionary, mark: number, pacer: Pacer): Promise<HashRun[] | undefined> {
  const older = { has: (id: number) => id < mark };
  const runs = [...dictionary.root.runs];
  for (let i = runs.length - 1; i >= 0; i--) {
    const run = runs[i]!;
    const kept = await entriesBefore(run, mark, pacer);
    // Runs are in id order, so all earlier runs hold only older terms.
    if (kept === run.entry.entries) break;
    if (kept > REWRITTEN_ENTRIES) return undefined;
    const rewritten = kept === 0 ? undefined : await combinedRun(dictionary, [run], pacer, older);
    runs.splice(i, 1, ...(rewritten === undefined ? [] : [rewritten]));
  }
  return runs;
}

async function entriesBefore(run: HashRun, mark: number, pacer: Pacer): Promise<number> {
  let kept = 0;
  for (let page = 0; page < run.pages; page++) {
    const [value] = await run.source.read([page]);
    const words = new Uint32Array(value!.slice().buffer);
    for (let i = (words.length / 3) * 2; i < words.length; i++) if (words[i]! < mark) kept++;
    if (pacer.due()) await pacer.pause();
  }
  return kept;
}

/** The terms of ids from `first` to `end`, as they are stored: those in the block that is cut, and those in the tail. Long texts stay where they are. */
async function termsBetween(dictionary: Dictionary, first: number, end: number): Promise<TailTerm[]> {
  const terms: TailTerm[] = [];
  const { blockMark, seed } = dictionary.root;
  const add = (id: number, entry: Uint8Array): void => {
    if (id < first || id >= end || entry.length === 0) return;
    hashTerm(entry, 0, entry.length, seed);
    terms.push({ id, text: entry.slice(), high: hashHigh, low: hashLow });
  };
  if (first < blockMark) {
    const [value] = await dictionary.blocks.read([first / TERM_BLOCK_IDS]);
    for (const [i, entry] of termBlockEntries(value!).entries()) add(first + i, entry);
  }
  for (const [index, id] of dictionary.tailIds.entries())
    if (id >= blockMark) add(id, storedEntry(dictionary.tailText(index)));
  return terms;
}

/** Deletions of long texts from `mark` on, of blocks from `blockMark` on, and of all pieces of the tail. */
function rangesFrom(keyspace: Keyspace, blockMark: number, mark: number): WriteOp[] {
  const from = (tag: number, ...first: number[]): WriteOp => {
    const { lt } = tagRange(keyspace.id, tag);
    return { type: 'deleteRange', gte: keyspace.key(tag, ...first), lt };
  };
  return [from(Tag.termTail), from(Tag.termBlock, blockMark / TERM_BLOCK_IDS), from(Tag.longTerm, mark, 0)];
}
