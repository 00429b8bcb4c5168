/** Makes the hash runs again from the terms, and deletes terms that a crash left. Few programs need it. */
import type { Pacer } from '../runtime/env.js';
import { Tag, TERM_BLOCK_IDS } from '../format/layout.js';
import type { Dictionary } from './dictionary.js';
import { newRunNumber, replaceHashRuns, writeRun } from './dictionary-flush.js';
import { hashHigh, hashLow, hashTerm } from './hash.js';
import { LONG_ENTRY, termBlockEntries } from './term-block.js';

/**
 * Rebuilds the hash runs from the terms. The caller holds the lock, and the tail is empty except for the last block.
 */
export async function rebuildHashRuns(dictionary: Dictionary, pacer: Pacer): Promise<void> {
  const { root } = dictionary;
  const high = new Uint32Array(root.nextId);
  const low = new Uint32Array(root.nextId);
  const ids = new Uint32Array(root.nextId);
  let count = 0;
  const put = (id: number, text: Uint8Array): void => {
    hashTerm(text, 0, text.length, root.seed);
    high[count] = hashHigh;
    low[count] = hashLow;
    ids[count++] = id;
  };
  for (let block = 0; block < root.blockMark / TERM_BLOCK_IDS; block++) {
    const [value] = await dictionary.blocks.read([block]);
    let id = block * TERM_BLOCK_IDS;
    for (const entry of termBlockEntries(value!)) {
      if (entry.length > 0) put(id, entry[0] === LONG_ENTRY ? await dictionary.longText(id, entry) : entry);
      id++;
    }
    if (pacer.due()) await pacer.pause();
  }
  dictionary.tailIds.forEach((id, index) => put(id, dictionary.tailText(index)));
  const columns = { high: high.subarray(0, count), low: low.subarray(0, count), ids: ids.subarray(0, count) };
  // If no term is left, the root must not name a run.
  const run = count === 0 ? undefined : await writeRun(dictionary, await newRunNumber(dictionary), columns, pacer);
  await replaceHashRuns(dictionary, dictionary.root.runs, run);
}

/**
 * Deletes term blocks above the block mark, which a crash during a flush left. The caller holds the lock.
 */
export async function sweepTermBlocks(dictionary: Dictionary): Promise<void> {
  const { keyspace, root } = dictionary;
  const gte = keyspace.key(Tag.termBlock, root.blockMark / TERM_BLOCK_IDS);
  await dictionary.write([{ type: 'deleteRange', gte, lt: keyspace.key(Tag.termBlock + 1) }]);
}
