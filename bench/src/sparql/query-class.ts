/** A class of queries: one text with parameters, which are drawn from the data. */
import type { ParameterSource } from './parameter-source.js';

/** `query` is a query of the user. */
export type QueryKind = 'explore' | 'business' | 'analytical' | 'query';
/** SPARQL texts by parameter name: an IRI in angle brackets, or a number. */
export type Parameters = Readonly<Record<string, string>>;

export interface QueryClass {
  readonly name: string;
  readonly kind: QueryKind;
  /** Draws parameters for which the query has at least one row. If there are none, the class has a single text. */
  draw(data: ParameterSource): Parameters;
  text(parameters: Parameters): string;
  /** Whether backends are compared by the number of rows only, not by their content. */
  readonly inexact?: boolean;
}

/** A query as all backends run it, with identical texts. */
export interface PreparedQuery {
  readonly name: string;
  readonly kind: QueryKind;
  readonly inexact: boolean;
  readonly texts: readonly string[];
}

/** The name in the report. */
export const figureName = ({ name, kind }: Pick<QueryClass, 'name' | 'kind'>): string => `${kind} ${name}`;

const PREFIXES = {
  bsbm: 'http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/vocabulary/',
  dc: 'http://purl.org/dc/elements/1.1/',
  ex: 'http://example.org/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  rev: 'http://purl.org/stuff/rev#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
};

const SETS = 8;

/** One text of a class, with the prefixes that it uses. */
export const drawnText = ({ draw, text }: QueryClass, data: ParameterSource): string => withPrefixes(text(draw(data)));

/** The texts of a class, with the prefixes that they use. */
export function prepareQuery(query: QueryClass, data: ParameterSource): PreparedQuery {
  const { name, kind, inexact } = query;
  const texts = new Set<string>();
  for (let set = 0; set < SETS; set++) texts.add(drawnText(query, data));
  return { name, kind, inexact: inexact === true, texts: [...texts] };
}

/** A text behind the declarations of the prefixes that it uses. */
export function withPrefixes(text: string): string {
  const used = Object.entries(PREFIXES).filter(([prefix]) => text.includes(`${prefix}:`));
  return [...used.map(([prefix, iri]) => `PREFIX ${prefix}: <${iri}>`), text].join('\n');
}
