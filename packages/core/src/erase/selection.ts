/** What an erasure removes: quads by the ids of their terms, in all revisions. */
import type * as RDF from '@rdfjs/types';
import type { Dictionary } from '../dictionary/dictionary.js';
import { componentsOf, termBlocks } from '../dictionary/drop-terms.js';
import { TERM_BLOCK_IDS } from '../format/layout.js';
import type { IdPattern } from '../index/orders.js';
import type { Pacer } from '../runtime/env.js';
import { checkQuads, quadIds } from '../dictionary/encode-quads.js';
import type { Timeline } from '../timeline/timeline.js';
import { type TermPattern, Snapshot } from '../read/snapshot.js';

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
export function matchPattern(pattern: IdPattern): Matches {
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
  for await (const { block, entries } of termBlocks(dictionary, false)) {
    for (const [i, entry] of entries.entries()) look(block * TERM_BLOCK_IDS + i, entry);
    if (pacer.due()) await pacer.pause();
  }
  for (const [index, id] of dictionary.tailIds.entries()) look(id, dictionary.tailText(index));
  return [...found];
}

/** All quads with a term at any place, also inside of triple terms; those that match a pattern; or some quads. */
export type EraseTarget =
  | {
      /** An IRI, a blank node, a literal or a triple term. */
      readonly term: RDF.Term;
    }
  | {
      /** At least one of its members is a term. */
      readonly pattern: TermPattern;
    }
  | {
      /** Those that no revision has do not matter. */
      readonly quads: readonly RDF.Quad[];
    };

/** `undefined` if no revision can have such a quad, because a term of it is not there. */
export async function selectionOf(
  timeline: Timeline,
  target: EraseTarget,
  pacer: Pacer,
): Promise<Selection | undefined> {
  if ('term' in target) {
    const id = await timeline.encoder.encode(target.term);
    return id === 0 ? undefined : { terms: await withContaining(timeline.dictionary, id, pacer) };
  }
  if ('pattern' in target) {
    const snapshot = new Snapshot(timeline, timeline.published);
    try {
      const pattern = await snapshot.ids(target.pattern);
      return pattern && { pattern };
    } finally {
      snapshot.close();
    }
  }
  await checkQuads(target.quads, pacer);
  const { length, s, p, o, g } = await quadIds(timeline, target.quads, false, pacer);
  const quads: number[] = [];
  for (let i = 0; i < length; i++) quads.push(s[i]!, p[i]!, o[i]!, g[i]!);
  return length === 0 ? undefined : { quads };
}
