/** The terms of a position with the number of their statements, the most frequent first. */
import { literal, type QueryOptions, type ReadView, type Row, termToNTriples } from 'quadrille';
import type { TermCount } from './bounded.js';

export const POSITIONS = ['subject', 'predicate', 'object', 'graph', 'class'] as const;
export type Position = (typeof POSITIONS)[number];

/** The required beginning of a term. */
export type Beginning =
  /** The IRI. */
  | { readonly kind: 'iri'; readonly text: string }
  /** The last part of the IRI, or the text of a literal, in any case of letters. */
  | { readonly kind: 'name'; readonly text: string };

/** Statements that stand in a graph have the term there; those of the default graph have none. */
const PATTERNS: Readonly<Record<Position, string>> = {
  subject: '?term ?b ?c',
  predicate: '?a ?term ?c',
  object: '?a ?b ?term',
  graph: 'GRAPH ?term { ?a ?b ?c }',
  class: '?a <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ?term',
};

/**
 * The query for them. Its order is total, so that equal requests get equal answers. `named`: whether there are named graphs; reading them
 * takes as long as reading the default graph.
 */
export function countsQuery(position: Position, named: boolean, limit: number, beginning?: Beginning): string {
  const pattern = PATTERNS[position];
  const where = position !== 'graph' && named ? `{ ${pattern} } UNION { GRAPH ?g { ${pattern} } }` : pattern;
  const having = beginning === undefined ? '' : ` HAVING(${conditionOf(beginning)})`;
  return (
    `SELECT ?term (COUNT(*) AS ?count) WHERE { ${where} } GROUP BY ?term${having} ` +
    `ORDER BY DESC(?count) ?term LIMIT ${String(limit)}`
  );
}

function conditionOf({ kind, text }: Beginning): string {
  if (kind === 'iri') return `isIRI(?term) && STRSTARTS(STR(?term), ${stringOf(text)})`;
  const isName = `isIRI(?term) && REGEX(STR(?term), ${stringOf(`[/#:]${escaped(text)}[^/#:]*$`)}, "i")`;
  const isText = `isLiteral(?term) && STRSTARTS(LCASE(STR(?term)), ${stringOf(text.toLowerCase())})`;
  return `(${isName}) || (${isText})`;
}

/** A string of SPARQL, in which nothing of the text can end it. */
const stringOf = (text: string): string => termToNTriples(literal(text));
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The answer of a {@link countsQuery}. */
export async function* termCounts(view: ReadView, query: string, options: QueryOptions): AsyncGenerator<TermCount> {
  for await (const row of view.select(query, options)) yield countOf(row);
}

const countOf = ({ term, count }: Row): TermCount => ({ term: termToNTriples(term!), count: Number(count!.value) });

/** Whether a state has named graphs. */
export const hasNamedGraphs = async (view: ReadView): Promise<boolean> => (await view.graphs().first()) !== undefined;
