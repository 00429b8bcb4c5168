/** A triple pattern of a query with the graph that it reads, and the quads that it matches. */
import type * as RDF from '@rdfjs/types';
import { termToText } from '@quadrille/model';
import { termVariables, type Pattern } from '../algebra/algebra.js';
import { mapTripleTerm } from '../algebra/terms.js';

/** Terms by the names of variables. */
export type Binding = Readonly<Record<string, RDF.Term>>;

/** A text that quads have in common only if they are equal. */
export const quadKey = (quad: RDF.BaseQuad): string => keyOf(quad, (term) => term);

const keyOf = ({ subject, predicate, object, graph }: RDF.BaseQuad, valueOf: (term: RDF.Term) => RDF.Term): string =>
  [subject, predicate, object, graph].map((term) => textOf(valueOf(term))).join('\n');

const textOf = (term: RDF.Term): string => (term.termType === 'DefaultGraph' ? '' : termToText(term));

export class PlacedPattern {
  /** The names of its variables, that of its graph included. */
  readonly variables: readonly string[];
  readonly #quad: RDF.BaseQuad;

  constructor(
    readonly pattern: Pattern,
    /** A constant, or the variable of GRAPH. */
    graph: RDF.Term,
    /** The graphs that the variable can stand for; `undefined`: any named graph. */
    private readonly named: ReadonlySet<string> | undefined,
  ) {
    const { subject, predicate, object } = pattern;
    this.#quad = { subject, predicate, object, graph } as RDF.BaseQuad;
    this.variables = [...new Set([subject, predicate, object, graph].flatMap(termVariables))];
  }

  /** The values of its variables for which the pattern is this quad. */
  match(quad: RDF.BaseQuad): Binding | undefined {
    const found: Record<string, RDF.Term> = Object.create(null) as Record<string, RDF.Term>;
    const { subject, predicate, object, graph } = this.#quad;
    if (graph.termType === 'Variable' && !this.#sees(quad.graph)) return undefined;
    const fits =
      matches(predicate, quad.predicate, found) &&
      matches(subject, quad.subject, found) &&
      matches(object, quad.object, found) &&
      matches(graph, quad.graph, found);
    return fits ? found : undefined;
  }

  /** The key of the quad that the pattern is in a solution. */
  keyIn(row: Binding): string {
    const valueOf = (term: RDF.Term): RDF.Term => (term.termType === 'Variable' ? (row[term.value] ?? term) : term);
    const { object, ...rest } = this.#quad;
    return keyOf({ ...rest, object: filled(object, valueOf) } as RDF.BaseQuad, valueOf);
  }

  #sees(graph: RDF.Term): boolean {
    return graph.termType !== 'DefaultGraph' && (this.named?.has(termToText(graph)) ?? true);
  }
}

const filled = (term: RDF.Term, valueOf: (term: RDF.Term) => RDF.Term): RDF.Term =>
  term.termType === 'Quad' ? mapTripleTerm(term, (member) => filled(member, valueOf)) : valueOf(term);

function matches(pattern: RDF.Term, term: RDF.Term, found: Record<string, RDF.Term>): boolean {
  if (pattern.termType === 'Variable') {
    const before = found[pattern.value];
    if (before === undefined) found[pattern.value] = term;
    return before === undefined || sameTerm(before, term);
  }
  if (pattern.termType !== 'Quad') return sameTerm(pattern, term);
  return (
    term.termType === 'Quad' &&
    matches(pattern.subject, term.subject, found) &&
    matches(pattern.predicate, term.predicate, found) &&
    matches(pattern.object, term.object, found)
  );
}

// Texts ignore the case of language tags, as the store does.
const sameTerm = (one: RDF.Term, other: RDF.Term): boolean =>
  one.termType === other.termType && textOf(one) === textOf(other);
