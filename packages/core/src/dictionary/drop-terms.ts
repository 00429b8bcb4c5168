/** Drops terms that no revision uses: what failed loads and transactions left. Ids are not used again; they become holes. */
import type { WriteOp } from '@quadrille/storage';
import type { Pacer } from '../env.js';
import { FIRST_TERM_ID, Tag, TERM_BLOCK_IDS } from '../format.js';
import { BatchWriter } from '../space.js';
import type { Dictionary } from './dictionary.js';
import { longKey } from './dictionary.js';
import { rebuildHashRuns } from './dictionary-flush.js';
import { encodeTermBlock, LONG_ENTRY, readTripleEntry, termBlockEntries, TRIPLE_ENTRY } from './term-block.js';

/** A set of ids, a bit each. */
export class IdSet {
  readonly #bits: Uint8Array;

  constructor(limit: number) {
    this.#bits = new Uint8Array((limit >>> 3) + 1);
  }

  add(id: number): void {
    this.#bits[id >>> 3]! |= 1 << (id & 7);
  }

  has(id: number): boolean {
    return (this.#bits[id >>> 3]! & (1 << (id & 7))) !== 0;
  }
}

/**
 * Drops what is not in `used`, to which the components of used triple terms are added. Under the dictionary's lock, with
 * nobody who holds ids. The answer: how many terms went.
 */
export async function dropTerms(dictionary: Dictionary, used: IdSet, pacer: Pacer): Promise<number> {
  const unused = await findUnused(dictionary, used, pacer);
  if (unused === 0) return 0;
  // First nobody can find them any more, then they go: a crash in between leaves texts without a hash, and no hash
  // without a text.
  await rebuildHashRuns(dictionary, pacer, used);
  const batch = new BatchWriter(dictionary.space);
  for (let block = 0; block < dictionary.root.blockMark / TERM_BLOCK_IDS; block++) {
    await dropInBlock(dictionary, block, used, batch);
    if (batch.full) await batch.send();
    if (pacer.due()) await pacer.pause();
  }
  await batch.flush();
  dictionary.forgetBlocks();
  await dropInTail(dictionary, used);
  return unused;
}

// From the newest to the oldest, since a triple term comes after its components.
async function findUnused(dictionary: Dictionary, used: IdSet, pacer: Pacer): Promise<number> {
  let unused = 0;
  const look = (id: number, entry: Uint8Array): void => {
    if (entry.length === 0) return;
    if (!used.has(id)) unused++;
    else if (entry[0] === TRIPLE_ENTRY) for (const part of readTripleEntry(entry)) used.add(part);
  };
  for (let index = dictionary.tailIds.length - 1; index >= 0; index--)
    look(dictionary.tailIds[index]!, dictionary.tailText(index));
  for (let block = dictionary.root.blockMark / TERM_BLOCK_IDS - 1; block >= 0; block--) {
    const [value] = await dictionary.blocks.read([block]);
    const entries = [...termBlockEntries(value!)];
    for (let i = entries.length - 1; i >= 0; i--) look(block * TERM_BLOCK_IDS + i, entries[i]!);
    if (pacer.due()) await pacer.pause();
  }
  return unused;
}

async function dropInBlock(dictionary: Dictionary, block: number, used: IdSet, batch: BatchWriter): Promise<void> {
  const { space } = dictionary;
  const [value] = await dictionary.blocks.read([block]);
  const first = block * TERM_BLOCK_IDS;
  const entries = [...termBlockEntries(value!)];
  const kept = entries.map((entry, i) => (used.has(first + i) ? entry : new Uint8Array(0)));
  if (kept.every((entry, i) => entry.length === entries[i]!.length)) return;
  const parts = space.putParts(encodeTermBlock(kept), (part) => space.key(Tag.termBlock, block, part));
  const obsolete: WriteOp[] = [
    {
      type: 'deleteRange',
      gte: space.key(Tag.termBlock, block, parts.length),
      lt: space.key(Tag.termBlock, block + 1),
    },
  ];
  for (const [i, entry] of entries.entries())
    if (entry[0] === LONG_ENTRY && kept[i]!.length === 0) obsolete.push(longRange(dictionary, first + i));
  await batch.flush();
  await space.write([...parts, ...obsolete]);
}

function longRange({ space }: Dictionary, id: number): WriteOp {
  return { type: 'deleteRange', gte: longKey(space, id, 0), lt: longKey(space, id + 1, 0) };
}

async function dropInTail(dictionary: Dictionary, used: IdSet): Promise<void> {
  const { space, tail, tailIds } = dictionary;
  const kept = tailIds
    .map((id, index) => ({
      id,
      text: dictionary.tailText(index).slice(),
      high: tail.high[index]!,
      low: tail.low[index]!,
    }))
    .filter(({ id }) => id < FIRST_TERM_ID || used.has(id));
  if (kept.length === tailIds.length) return;
  dictionary.resetTail();
  for (const { id, text, high, low } of kept) dictionary.addTail(id, text, 0, text.length, high, low);
  await space.write([
    { type: 'deleteRange', gte: space.key(Tag.termTail, 0), lt: space.key(Tag.termTail, dictionary.nextId) },
    ...dictionary.tailPieces(0),
    { type: 'put', key: space.key(Tag.dictionary), value: dictionary.encodeRoot() },
  ]);
}
