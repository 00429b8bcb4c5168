/** Checks one term of the dictionary: its id leads to its text, and its text leads to its id. */
import { QuadrilleError } from '@quadrille/model';
import type { Dictionary } from '../dictionary/dictionary.js';
import { LONG_ENTRY } from '../dictionary/term-block.js';
import { MISS } from '../keyspace/block-cache.js';

export interface TermCheck {
  readonly exists: boolean;
  readonly problem?: { readonly code: string; readonly message: string };
}

/** Checks an id. `inUse` tells that a revision uses it. An unused id may have no term, if a failed load reserved it. */
export async function checkTerm(dictionary: Dictionary, id: number, inUse: boolean): Promise<TermCheck> {
  try {
    // A failed load may leave a million of these: an exception for each would take a minute.
    if (!inUse && dictionary.tryEntryIfAny(id) === null) return { exists: false };
    const found = await idOf(dictionary, await textOf(dictionary, id));
    if (found === id || !inUse) return { exists: true };
    return {
      exists: true,
      problem: { code: 'INDEX_DISAGREES', message: `the text of term ${id} leads to the id ${found}` },
    };
  } catch (error) {
    if (!(error instanceof QuadrilleError)) throw error;
    if (!inUse && error.code === 'UNKNOWN_ID') return { exists: false };
    return { exists: false, problem: error };
  }
}

async function textOf(dictionary: Dictionary, id: number): Promise<Uint8Array> {
  let entry = dictionary.tryEntry(id);
  while (entry === undefined) {
    await dictionary.fetchMissing();
    entry = dictionary.tryEntry(id);
  }
  // Read together with the entry: a flush may move the term from the tail into a block later.
  const inBlock = id < dictionary.root.blockMark;
  return entry[0] === LONG_ENTRY && inBlock ? dictionary.longText(id, entry) : entry.slice();
}

async function idOf(dictionary: Dictionary, text: Uint8Array): Promise<number> {
  for (;;) {
    const id = dictionary.tryFind(text, 0, text.length);
    if (id !== MISS) return id;
    await dictionary.fetchMissing();
  }
}
