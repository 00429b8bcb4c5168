/**
 * Libraries of functions that few requests call. They are a fifth of the code of a first query, so they are loaded before the first
 * plan that calls such a function: expressions are evaluated without waiting.
 */
import { partsOf, type Expression } from '../algebra/algebra.js';
import { HASH_FUNCTIONS, hashesLibrary } from './functions/hash.js';
import type { LazyLibrary } from './library.js';
import { linearLibrary } from './regex/regex.js';

type Library = Pick<LazyLibrary<unknown>, 'isLoaded' | 'load'>;

const LIBRARIES: ReadonlyMap<string, Library> = new Map<string, Library>([
  ['regex', linearLibrary],
  ['replace', linearLibrary],
  ...HASH_FUNCTIONS.map((name) => [name, hashesLibrary] as const),
]);

/** Loads what an expression needs. A promise only where it is not there yet. */
export function loadLibraries(expression: Expression): Promise<void> | undefined {
  const missing = new Set<Library>();
  for (const part of partsOf(expression)) {
    const library = part.subType === 'operator' ? LIBRARIES.get(part.operator) : undefined;
    if (library?.isLoaded === false) missing.add(library);
  }
  if (missing.size === 0) return undefined;
  return Promise.all(Array.from(missing, (library) => library.load())).then(() => undefined);
}

/** For tests of expressions without a plan. */
export async function loadAllLibraries(): Promise<void> {
  for (const library of new Set(LIBRARIES.values())) await library.load();
}
