/** The media types that the server reads and writes: the registry of formats for RDF, a list for query results. */
import { createDefaultRegistry, type RdfFormat } from '@quadrille/formats';

const registry = createDefaultRegistry();
const writable = registry.list().filter((format) => format.createSerializer !== undefined);
/** An N-Triples body may carry a fourth term, as existing clients send it (interface, section 2). */
const READ_AS: Readonly<Record<string, string>> = { 'application/n-triples': 'application/n-quads' };

const RESULT_TYPES = [
  'application/sparql-results+json',
  'application/sparql-results+xml',
  'text/csv',
  'text/tab-separated-values',
] as const;

const unique = (types: readonly string[]): readonly string[] => [...new Set(types)];
const rdfTypes = writable.flatMap((format) => format.mediaTypes);

/** What statements can be answered in, the default first. */
export const STATEMENT_OFFERS = unique(['text/plain', ...rdfTypes]);
/** What CONSTRUCT and DESCRIBE can be answered in. */
export const GRAPH_OFFERS = unique(['application/n-triples', ...rdfTypes]);
export const SELECT_OFFERS: readonly string[] = RESULT_TYPES;
export const ASK_OFFERS: readonly string[] = [...RESULT_TYPES, 'text/boolean'];

export const rdfFormat = (mediaType: string): RdfFormat | undefined =>
  registry.list().find((format) => format.mediaTypes.includes(mediaType));

/** The name by which the library knows an RDF type; others are left as they are. */
export const canonicalType = (mediaType: string): string => rdfFormat(mediaType)?.mediaTypes[0] ?? mediaType;

/** The type to parse a body as; `undefined` for one that is no RDF type we know. */
export function readableType(mediaType: string): string | undefined {
  const format = rdfFormat(mediaType);
  const canonical = format?.createParser === undefined ? undefined : format.mediaTypes[0];
  return canonical === undefined ? undefined : (READ_AS[canonical] ?? canonical);
}

/** The header of an answer: text types say their encoding. */
export const contentType = (mediaType: string): string =>
  /^text\/|json$|xml$/.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
