/** A class of queries: one text with places for parameters, which are drawn from the data. */
import type { ParameterSource } from './parameter-source.js';

/** `query`: one of the user's. */
export type QueryKind = 'explore' | 'analytical' | 'query';
/** SPARQL text by name: an IRI in angle brackets, a number. */
export type Parameters = Readonly<Record<string, string>>;

export interface QueryClass {
  readonly name: string;
  readonly kind: QueryKind;
  /** One set of parameters that gives at least one row. No members: the class has one text alone. */
  draw(data: ParameterSource): Parameters;
  text(parameters: Parameters): string;
  /** Only the number of rows is compared between backends, not what they hold. */
  readonly inexact?: boolean;
}

/** What all backends run: the very same texts. */
export interface PreparedQuery {
  readonly name: string;
  readonly kind: QueryKind;
  readonly inexact: boolean;
  readonly texts: readonly string[];
}

/** As the report names it. */
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

/** The texts of a class, with the prefixes that they use. */
export function prepareQuery({ name, kind, inexact, draw, text }: QueryClass, data: ParameterSource): PreparedQuery {
  const texts = new Set<string>();
  for (let set = 0; set < SETS; set++) texts.add(withPrefixes(text(draw(data))));
  return { name, kind, inexact: inexact === true, texts: [...texts] };
}

function withPrefixes(text: string): string {
  const used = Object.entries(PREFIXES).filter(([prefix]) => new RegExp(`\\b${prefix}:`).test(text));
  return [...used.map(([prefix, iri]) => `PREFIX ${prefix}: <${iri}>`), text].join('\n');
}
