/** Whether two sets of quads are the same but for the names of their blank nodes. For the sizes of test documents. */
import { termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';

type Names = ReadonlyMap<string, string>;

export function areIsomorphic(left: readonly RDF.Quad[], right: readonly RDF.Quad[]): boolean {
  const a = distinct(left);
  const b = distinct(right);
  return a.length === b.length && match(a, b, colors(a, new Map()), colors(b, new Map()));
}

/** Colours each blank node by what is around it; where some still share a colour, tries their pairings. */
function match(a: RDF.Quad[], b: RDF.Quad[], colorsA: Names, colorsB: Names): boolean {
  if (colorsA.size !== colorsB.size || sorted(colorsA) !== sorted(colorsB)) return false;
  const shared = [...colorsA].find(([, color]) => [...colorsA.values()].filter((other) => other === color).length > 1);
  if (shared === undefined) return print(a, colorsA).join('\n') === print(b, colorsB).join('\n');
  const [node, color] = shared;
  const fixedA = colors(a, new Map(colorsA).set(node, `${color}!`));
  return [...colorsB].some(
    ([other, otherColor]) =>
      otherColor === color && match(a, b, fixedA, colors(b, new Map(colorsB).set(other, `${color}!`))),
  );
}

function colors(quads: readonly RDF.Quad[], start: Names): Names {
  let current = new Map(start);
  for (const quad of quads) for (const node of blankNodes(quad)) current.set(node, start.get(node) ?? '');
  for (let groups = -1; new Set(current.values()).size > groups;) {
    groups = new Set(current.values()).size;
    const next = new Map<string, string>();
    for (const node of current.keys()) {
      const around = quads.filter((quad) => blankNodes(quad).has(node));
      next.set(node, hash((current.get(node) ?? '') + print(around, new Map(current).set(node, 'self')).join('\n')));
    }
    current = next;
  }
  return current;
}

function hash(text: string): string {
  let value = 0n;
  for (const char of text) value = (value * 1_000_003n + BigInt(char.codePointAt(0) ?? 0)) & 0xffff_ffff_ffff_ffffn;
  return value.toString(36);
}

function print(quads: readonly RDF.Quad[], names: Names): string[] {
  return quads
    .map((quad) =>
      parts(quad)
        .map((term) => printTerm(term, names))
        .join(' '),
    )
    .sort();
}

function printTerm(term: RDF.Term, names: Names): string {
  if (term.termType === 'BlankNode') return `_:${names.get(term.value) ?? ''}`;
  if (term.termType === 'Quad')
    return `<<(${parts(term)
      .map((part) => printTerm(part, names))
      .join(' ')})>>`;
  return termToText(term);
}

function blankNodes(quad: RDF.BaseQuad, into = new Set<string>()): Set<string> {
  for (const term of parts(quad)) {
    if (term.termType === 'BlankNode') into.add(term.value);
    else if (term.termType === 'Quad') blankNodes(term, into);
  }
  return into;
}

const parts = (quad: RDF.BaseQuad): RDF.Term[] => [quad.subject, quad.predicate, quad.object, quad.graph];
const sorted = (names: Names): string => [...names.values()].sort().join();

function distinct(quads: readonly RDF.Quad[]): RDF.Quad[] {
  const seen = new Map(quads.map((quad) => [parts(quad).map(termToText).join(' '), quad]));
  return [...seen.values()];
}
