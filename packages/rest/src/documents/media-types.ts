/** The media types that the server reads and writes, from the registries of formats. */
import { findResultFormat, isReadable, RESULT_FORMATS } from '@quadrille/formats';
import type { PreparedQuery, RdfFormat } from 'quadrille';
import { formats } from './formats.js';

const writableFormats = formats.list().filter((format) => format.createSerializer !== undefined);
/** An N-Triples body may carry a fourth term, as existing clients send it (interface, section 2). */
const READ_AS: Readonly<Record<string, string>> = { 'application/n-triples': 'application/n-quads' };

const unique = (types: readonly string[]): readonly string[] => [...new Set(types)];
const rdfTypes = writableFormats.flatMap((format) => format.mediaTypes);

/** What statements can be answered in, the default first. */
export const STATEMENT_OFFERS = unique(['text/plain', ...rdfTypes]);
/** What a SELECT can be answered in, and an ASK. */
export const SELECT_OFFERS = RESULT_FORMATS.filter((format) => format.bindings).flatMap((format) => format.mediaTypes);
/** What a list of ours can be answered in as a table, beside its own JSON. */
export const ROW_OFFERS = SELECT_OFFERS.filter((type) => type !== 'application/json');
export const ASK_OFFERS = RESULT_FORMATS.flatMap((format) => format.mediaTypes);
/** What CONSTRUCT and DESCRIBE can be answered in: as RDF, or their triples as rows. */
export const GRAPH_OFFERS = unique(['application/n-triples', ...rdfTypes, ...SELECT_OFFERS]);

/** A graph by the Graph Store Protocol: Turtle unless another is asked for, and text/plain is none of its names. */
export const GRAPH_STORE_OFFERS = unique(['text/turtle', ...rdfTypes.filter((type) => type !== 'text/plain')]);

/** True for a media type that holds rows. */
export const isRowsType = (mediaType: string): boolean => findResultFormat(mediaType)?.bindings === true;

/** What a query of this kind can be answered in. */
export function offersOf(kind: PreparedQuery['kind']): readonly string[] {
  if (kind === 'ask') return ASK_OFFERS;
  return isGraphKind(kind) ? GRAPH_OFFERS : SELECT_OFFERS;
}

/** Whether the answer is a graph. */
export const isGraphKind = (kind: PreparedQuery['kind']): boolean => kind === 'construct' || kind === 'describe';

export const rdfFormat = (mediaType: string): RdfFormat | undefined =>
  formats.list().find((format) => format.mediaTypes.includes(mediaType));

/** The name by which the library knows an RDF type; others are left as they are. */
export const canonicalType = (mediaType: string): string => rdfFormat(mediaType)?.mediaTypes[0] ?? mediaType;

/** The type to parse a body as; `undefined` for one that is no RDF type we know. */
export function readableType(mediaType: string): string | undefined {
  const format = rdfFormat(mediaType);
  const canonical = format !== undefined && isReadable(format) ? format.mediaTypes[0] : undefined;
  return canonical === undefined ? undefined : (READ_AS[canonical] ?? canonical);
}

/** The type of a file extension that can be written. */
export const writableType = (extension: string): string | undefined =>
  writableFormats.find((format) => format.extensions.includes(extension.toLowerCase()))?.mediaTypes[0];

/** The header of an answer: text types say their encoding. */
export const contentType = (mediaType: string): string =>
  /^text\/|json$|xml$/.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
