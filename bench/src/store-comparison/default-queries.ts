/** Queries for data that come without any. They suit data that one sees for the first time. */
import type { ReadView } from 'quadrille';
import { ParameterSource } from '../sparql/parameter-source.js';
import { prepareQuery } from '../sparql/query-class.js';
import type { PreparedQuery } from '../sparql/query-class.js';
import { QUERY_CLASSES } from '../sparql/query-classes.js';

/** Number of quads from which generated data have enough products to draw parameters. */
const BSBM_FROM_QUADS = 50_000;
const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

/** Predicates with their numbers of quads, the most frequent first. */
export type PredicateCounts = readonly (readonly [predicate: string, quads: number])[];

/**
 * The explore and analytical queries of the suite `sparql` for generated data; for other data, queries that suit any
 * data.
 */
export async function defaultQueries(
  view: ReadView,
  generated: boolean,
  predicates: PredicateCounts,
  subjects: readonly string[],
): Promise<PreparedQuery[]> {
  if (generated && (await view.size()) >= BSBM_FROM_QUADS) {
    const data = await ParameterSource.read(view);
    return QUERY_CLASSES.map((query) => prepareQuery(query, data));
  }
  return generalQueries(predicates, subjects);
}

export function generalQueries(predicates: PredicateCounts, subjects: readonly string[]): PreparedQuery[] {
  const [first, second] = predicates.map(([predicate]) => `<${predicate}>`).filter((name) => name !== `<${RDF_TYPE}>`);
  const texts: Record<string, readonly string[]> = {
    'all about a subject': subjects.slice(0, 8).map((subject) => `SELECT ?p ?o { <${subject}> ?p ?o }`),
    'neighbours of a subject': subjects
      .slice(0, 8)
      .map((subject) => `SELECT ?o ?p2 ?o2 { <${subject}> ?p ?o . ?o ?p2 ?o2 }`),
    'count by predicate': ['SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p'],
    'count by class': ['SELECT ?class (COUNT(*) AS ?n) { ?s a ?class } GROUP BY ?class'],
    ...(first === undefined || second === undefined
      ? {}
      : { 'join of two predicates': [`SELECT ?s ?a ?b { ?s ${first} ?a ; ${second} ?b } LIMIT 10000`] }),
    'search in texts': ['SELECT (COUNT(*) AS ?n) { ?s ?p ?o FILTER (isLiteral(?o) && CONTAINS(STR(?o), "an")) }'],
  };
  return Object.entries(texts)
    .filter(([, each]) => each.length > 0)
    .map(([name, each]) => userQuery(name, each));
}

/** Queries whose answers may differ legitimately, so that only their number of rows is compared. */
const ANY_ANSWER = /\b(?:LIMIT|OFFSET|SAMPLE|GROUP_CONCAT|RAND|NOW|UUID|STRUUID)\b/i;

export function userQuery(name: string, texts: readonly string[]): PreparedQuery {
  return { name, kind: 'query', inexact: texts.some((text) => ANY_ANSWER.test(text)), texts };
}
