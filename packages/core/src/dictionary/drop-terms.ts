/**
 * Drops terms that no revision uses, which failed loads and transactions left. Their ids are not reused and stay
 * empty.
 */
import type { WriteOp } from '@quadrille/storage';
import { rewrittenOp } from '../keyspace/rewritten.js';
import type { Env, Pacer } from '../runtime/env.js';
import { FIRST_INLINE_ID, FIRST_TERM_ID, PART_BYTES, Tag, TERM_BLOCK_IDS } from '../format/layout.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import type { Dictionary } from './dictionary.js';
import { longKey } from './dictionary.js';
import { encodeTermBlock, isLong, LONG_ENTRY, readTripleEntry, termBlockEntries, TRIPLE_ENTRY } from './term-block.js';

/** Most blocks have less than 10 KB, and none has more than 512 KB. */
const BLOCKS_AT_ONCE = 16;

/** A set of ids, with one bit an id. */
export class IdSet {
  #bits: Uint8Array;

  constructor(limit: number) {
    this.#bits = new Uint8Array((limit >>> 3) + 1);
  }

  add(id: number): void {
    if (id >>> 3 >= this.#bits.length) {
      const grown = new Uint8Array(Math.max((id >>> 3) + 1, this.#bits.length * 2));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[id >>> 3]! |= 1 << (id & 7);
  }

  /** Adds the ids of terms among `ids[start … end)`: neither those that contain their values, nor that of the default graph. */
  addTerms(ids: Uint32Array, start: number, end: number): void {
    let last = 0;
    for (let i = start; i < end; i++) {
      const id = ids[i]!;
      if (id !== last && id >= FIRST_TERM_ID && id < FIRST_INLINE_ID) this.add(id);
      last = id;
    }
  }

  has(id: number): boolean {
    return (this.#bits[id >>> 3]! & (1 << (id & 7))) !== 0;
  }
}

/** Terms that are not used: their number, and the blocks that have some, in descending order. */
export interface UnusedTerms {
  readonly count: number;
  readonly blocks: readonly number[];
}

/** Finds the terms that are not in `used`. Adds the components of used triple terms to `used`. */
export async function findUnused(dictionary: Dictionary, used: IdSet, pacer: Pacer): Promise<UnusedTerms> {
  let count = 0;
  const blocks: number[] = [];
  const look = (id: number, entry: Uint8Array): void => {
    if (entry.length === 0) return;
    if (!used.has(id)) count++;
    else for (const part of componentsOf(entry)) used.add(part);
  };
  // From the newest to the oldest, because the ids of components are lower than those of their triple term.
  for (let index = dictionary.tailIds.length - 1; index >= 0; index--)
    look(dictionary.tailIds[index]!, dictionary.tailText(index));
  for await (const { block, entries } of termBlocks(dictionary, true)) {
    const before = count;
    for (let i = entries.length - 1; i >= 0; i--) look(block * TERM_BLOCK_IDS + i, entries[i]!);
    if (count > before) blocks.push(block);
    if (pacer.due()) await pacer.pause();
  }
  return { count, blocks };
}

/** All blocks, read some at a time: from the oldest to the newest, or the reverse. */
export async function* termBlocks(
  { blocks, root }: Dictionary,
  newestFirst: boolean,
): AsyncGenerator<{ readonly block: number; readonly entries: readonly Uint8Array[] }> {
  const count = root.blockMark / TERM_BLOCK_IDS;
  for (let at = 0; at < count; at += BLOCKS_AT_ONCE) {
    const some = Array.from({ length: Math.min(BLOCKS_AT_ONCE, count - at) }, (_, i) =>
      newestFirst ? count - 1 - at - i : at + i,
    );
    const values = await blocks.read(some);
    for (const [i, block] of some.entries()) yield { block, entries: termBlockEntries(values[i]!) };
  }
}

/** The ids of the components of a triple term; empty for other terms. */
export function componentsOf(entry: Uint8Array): readonly number[] {
  return entry[0] === TRIPLE_ENTRY ? readTripleEntry(entry) : [];
}

/** Deletes the texts of blocks that are not in `used`. No hash run names these terms any more. Returns the bytes that it wrote. */
export async function dropInBlocks(
  dictionary: Dictionary,
  blocks: readonly number[],
  used: IdSet,
  { env, pacer }: { readonly env: Env; readonly pacer: Pacer },
): Promise<number> {
  const batch = new BatchWriter(dictionary);
  batch.add([rewrittenOp(dictionary.keyspace, env)]);
  for (const block of blocks) {
    await dropInBlock(dictionary, block, used, batch);
    if (batch.full) await batch.send();
    if (pacer.due()) await pacer.pause();
  }
  await batch.flush();
  dictionary.forgetBlocks();
  return batch.writtenBytes;
}

async function dropInBlock(dictionary: Dictionary, block: number, used: IdSet, batch: BatchWriter): Promise<void> {
  const { keyspace } = dictionary;
  const [value] = await dictionary.blocks.read([block]);
  const first = block * TERM_BLOCK_IDS;
  const entries = termBlockEntries(value!);
  const kept = entries.map((entry, i) => (used.has(first + i) ? entry : new Uint8Array(0)));
  const parts = keyspace.putParts(encodeTermBlock(kept), (part) => keyspace.key(Tag.termBlock, block, part));
  batch.add(parts);
  for (let part = parts.length; part * PART_BYTES <= value!.length; part++) {
    batch.add([{ type: 'delete', key: keyspace.key(Tag.termBlock, block, part) }]);
  }
  for (const [i, entry] of entries.entries())
    if (entry[0] === LONG_ENTRY && kept[i]!.length === 0) batch.add([longRange(dictionary, first + i)]);
}

function longRange({ keyspace }: Dictionary, id: number): WriteOp {
  return { type: 'deleteRange', gte: longKey(keyspace, id, 0), lt: longKey(keyspace, id + 1, 0) };
}

/**
 * Deletes the terms of the tail that are not in `used`. The caller holds the dictionary's lock, and nobody else holds
 * ids.
 */
export async function dropInTail(dictionary: Dictionary, used: IdSet): Promise<void> {
  const { keyspace, tail, tailIds } = dictionary;
  const kept = tailIds
    .map((id, index) => ({
      id,
      text: dictionary.tailText(index).slice(),
      high: tail.highOf(index),
      low: tail.lowOf(index),
    }))
    .filter(({ id }) => id < FIRST_TERM_ID || used.has(id));
  if (kept.length === tailIds.length) return;
  const stays = new Set(kept.map(({ id }) => id));
  const long = tailIds.filter((id, index) => !stays.has(id) && isLong(dictionary.tailText(index)));
  await dictionary.replace({ ...dictionary.root }, kept, [
    { type: 'deleteRange', gte: keyspace.key(Tag.termTail, 0), lt: keyspace.key(Tag.termTail, dictionary.nextId) },
    ...long.map((id) => longRange(dictionary, id)),
  ]);
}
