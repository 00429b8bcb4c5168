/** What an erasure removes: quads by the ids of their terms, in all revisions. */
import type { Dictionary } from '../dictionary/dictionary.js';
import { componentsOf } from '../dictionary/drop-terms.js';
import { termBlockEntries } from '../dictionary/term-block.js';
import { TERM_BLOCK_IDS } from '../format/layout.js';
import type { IdPattern } from '../index/orders.js';
import type { Pacer } from '../runtime/env.js';

/** Quads with one of some terms at any place, quads that match a pattern, or some quads. It is kept as JSON. */
export type Selection =
  | { readonly terms: readonly number[] }
  | { readonly pattern: IdPattern }
  /** Four ids a quad. */
  | { readonly quads: readonly number[] };

/** Whether a quad is erased. */
export type Matches = (s: number, p: number, o: number, g: number) => boolean;

export function matcherOf(selection: Selection): Matches {
  if ('terms' in selection) return matchTerms(selection.terms);
  if ('pattern' in selection) return matchPattern(selection.pattern);
  return matchQuads(selection.quads);
}

function matchTerms(terms: readonly number[]): Matches {
  const [only] = terms;
  if (terms.length === 1) return (s, p, o, g) => s === only || p === only || o === only || g === only;
  const ids = new Set(terms);
  return (s, p, o, g) => ids.has(s) || ids.has(p) || ids.has(o) || ids.has(g);
}

// 0 stands for any term.
function matchPattern(pattern: IdPattern): Matches {
  return (s, p, o, g) =>
    (pattern.s === 0 || pattern.s === s) &&
    (pattern.p === 0 || pattern.p === p) &&
    (pattern.o === 0 || pattern.o === o) &&
    (pattern.g === 0 || pattern.g === g);
}

function matchQuads(quads: readonly number[]): Matches {
  // Most rows have another subject, and need no text.
  const subjects = new Set<number>();
  const names = new Set<string>();
  for (let at = 0; at < quads.length; at += 4) {
    subjects.add(quads[at]!);
    names.add(quadName(quads[at]!, quads[at + 1]!, quads[at + 2]!, quads[at + 3]!));
  }
  return (s, p, o, g) => subjects.has(s) && names.has(quadName(s, p, o, g));
}

export const quadName = (s: number, p: number, o: number, g: number): string => `${s} ${p} ${o} ${g}`;

/** The ids of a term and of all triple terms that contain it. */
export async function withContaining(dictionary: Dictionary, term: number, pacer: Pacer): Promise<number[]> {
  const found = new Set([term]);
  // The ids of components are lower than those of their triple term.
  const look = (id: number, entry: Uint8Array): void => {
    if (componentsOf(entry).some((part) => found.has(part))) found.add(id);
  };
  for (let block = 0; block < dictionary.root.blockMark / TERM_BLOCK_IDS; block++) {
    const [value] = await dictionary.blocks.read([block]);
    let id = block * TERM_BLOCK_IDS;
    for (const entry of termBlockEntries(value!)) look(id++, entry);
    if (pacer.due()) await pacer.pause();
  }
  for (const [index, id] of dictionary.tailIds.entries()) look(id, dictionary.tailText(index));
  return [...found];
}
