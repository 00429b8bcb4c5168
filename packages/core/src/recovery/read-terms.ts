/** Reads the terms of a damaged repository block by block, and finds out which of them are readable. */
import { CorruptionError } from '@quadrille/model';
import { IdSet, componentsOf } from '../dictionary/drop-terms.js';
import { isInline } from '../dictionary/inline.js';
import { longKey } from '../dictionary/dictionary.js';
import { LONG_ENTRY, longLength, matchesEntry, termBlockEntries } from '../dictionary/term-block.js';
import { FIRST_INLINE_ID, FIRST_TERM_ID, readU32, Tag, tagRange, TERM_BLOCK_IDS } from '../format/layout.js';
import { readParts } from '../index/run/run-writer.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { Pacer } from '../runtime/env.js';
import { attempt, isDamage, keysIn, remnantsIn } from './remains.js';

const NO_TERM = new Uint8Array(0);

/** 128 terms with consecutive ids. */
export interface TermGroup {
  /** The id of the first term. */
  readonly first: number;
  /** Stored entries. An entry is empty if there is no term, or none that can be read. */
  readonly entries: readonly Uint8Array[];
}

/** Every group with a readable term, in id order. */
export async function* readTerms(keyspace: Keyspace, pacer: Pacer): AsyncGenerator<TermGroup> {
  const tail = await readTail(keyspace);
  const inTail = [...new Set(Array.from(tail.keys(), blockOf))].sort((a, b) => a - b);
  let next = 0;
  for await (const block of storedBlocks(keyspace)) {
    for (; next < inTail.length && inTail[next]! <= block; next++)
      if (inTail[next]! < block) yield groupOf(inTail[next]!, [], tail);
    yield groupOf(block, await entriesOf(keyspace, block), tail);
    if (pacer.due()) await pacer.pause();
  }
  for (; next < inTail.length; next++) yield groupOf(inTail[next]!, [], tail);
}

const blockOf = (id: number): number => Math.floor(id / TERM_BLOCK_IDS);
// A term in the tail is newer than one in a block with the same id. Only the newer one belongs to a revision.
// A term in the tail is newer than what stands in a block: of the two it is the one that a revision was told of.
function groupOf(block: number, stored: readonly Uint8Array[], tail: ReadonlyMap<number, Uint8Array>): TermGroup {
  const first = block * TERM_BLOCK_IDS;
  const entries = Array.from({ length: TERM_BLOCK_IDS }, (_, i) => tail.get(first + i) ?? stored[i] ?? NO_TERM);
  return { first, entries };
}

async function* storedBlocks({ engine, id }: Keyspace): AsyncGenerator<number> {
  let last = -1;
  for await (const key of keysIn(engine, tagRange(id, Tag.termBlock))) {
    const block = readU32(key, 6);
    if (block !== last) yield block;
    last = block;
  }
}

async function entriesOf(keyspace: Keyspace, block: number): Promise<readonly Uint8Array[]> {
  const read = await attempt(() =>
    readParts(keyspace, `term block ${block}`, (part) => keyspace.key(Tag.termBlock, block, part)),
  );
  return 'result' in read ? [...termBlockEntries(read.result)] : [];
}

// The newest terms, by id. They are few, because an open repository keeps them in memory.
async function readTail({ engine, id: repository }: Keyspace): Promise<ReadonlyMap<number, Uint8Array>> {
  const tail = new Map<number, Uint8Array>();
  for await (const { key, value } of remnantsIn(engine, tagRange(repository, Tag.termTail))) {
    if (value === undefined) continue;
    let id = readU32(key, 6);
    for (const entry of termBlockEntries(value)) {
      if (entry.length > 0 && !tail.has(id)) tail.set(id, entry);
      id++;
    }
  }
  return tail;
}

/** The text of a long term. @throws CorruptionError if it cannot be read, or does not match its entry */
export async function readLongText(keyspace: Keyspace, id: number, entry: Uint8Array): Promise<Uint8Array> {
  const parts = await readParts(keyspace, `text of term ${id}`, (part) => longKey(keyspace, id, part));
  const text = parts.subarray(0, longLength(entry));
  if (matchesEntry(entry, text)) return text;
  throw new CorruptionError(
    'CHECKSUM',
    `repository ${keyspace.name}: the text of term ${id} does not match its digest`,
  );
}

/** The ids with a readable term. */
export class KnownIds {
  readonly #ids = new IdSet(0);

  static async read(keyspace: Keyspace, pacer: Pacer): Promise<KnownIds> {
    const known = new KnownIds();
    for await (const { first, entries } of readTerms(keyspace, pacer)) {
      for (const [i, entry] of entries.entries())
        if (entry.length > 0 && (await known.#isWhole(keyspace, first + i, entry))) known.#ids.add(first + i);
      if (pacer.due()) await pacer.pause();
    }
    return known;
  }

  // Components have lower ids than their triple term, so they are known already.
  async #isWhole(keyspace: Keyspace, id: number, entry: Uint8Array): Promise<boolean> {
    if (entry[0] !== LONG_ENTRY) return componentsOf(entry).every((part) => this.has(part));
    try {
      await readLongText(keyspace, id, entry);
      return true;
    } catch (error) {
      if (!isDamage(error)) throw error;
      return false;
    }
  }

  /** Whether an id is valid: the default graph, an inlined id, or an id with a readable term. */
  has(id: number): boolean {
    if (id >= FIRST_INLINE_ID) return isInline(id);
    return id < FIRST_TERM_ID ? id > 0 : this.#ids.has(id);
  }
}
