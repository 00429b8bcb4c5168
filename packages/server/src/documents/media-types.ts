/** The media types that the server reads and writes, from the registries of formats. */
import { findResultFormat, isReadable, RESULT_FORMATS } from '@quadrille/formats';
import type { PreparedQuery, RdfFormat } from 'quadrille';
import { formats } from './formats.js';

const writableFormats = formats.list().filter((format) => format.createSerializer !== undefined);
/** An N-Triples body may carry a fourth term, as existing clients send it. */
const READ_AS: Readonly<Record<string, string>> = { 'application/n-triples': 'application/n-quads' };

const unique = (types: readonly string[]): readonly string[] => [...new Set(types)];
const rdfTypes = writableFormats.flatMap((format) => format.mediaTypes);

/** Media types for statements, the default first. */
export const STATEMENT_OFFERS = unique(['text/plain', ...rdfTypes]);
/** Media types of the documents that are read. */
export const DOCUMENT_TYPES = unique([
  ...STATEMENT_OFFERS,
  ...formats
    .list()
    .filter(isReadable)
    .flatMap((format) => format.mediaTypes),
]);
/** Media types for the answers of SELECT and ASK. */
export const SELECT_OFFERS = RESULT_FORMATS.filter((format) => format.bindings).flatMap((format) => format.mediaTypes);
/** Media types for lists of the server as rows, besides their JSON. */
export const ROW_OFFERS = SELECT_OFFERS.filter((type) => type !== 'application/json');
export const ASK_OFFERS = RESULT_FORMATS.flatMap((format) => format.mediaTypes);
/** Media types for the answers of CONSTRUCT and DESCRIBE: RDF, or rows of triples. */
export const GRAPH_OFFERS = unique(['application/n-triples', ...rdfTypes, ...SELECT_OFFERS]);

/** Media types of the Graph Store Protocol. The default is Turtle, and text/plain is not offered. */
export const GRAPH_STORE_OFFERS = unique(['text/turtle', ...rdfTypes.filter((type) => type !== 'text/plain')]);

/** Whether a media type is for rows. */
export const isRowsType = (mediaType: string): boolean => findResultFormat(mediaType)?.bindings === true;

/** The media types for the answer of a query of this kind. */
export function offersOf(kind: PreparedQuery['kind']): readonly string[] {
  if (kind === 'ask') return ASK_OFFERS;
  return isGraphKind(kind) ? GRAPH_OFFERS : SELECT_OFFERS;
}

/** Whether the answer is a graph. */
export const isGraphKind = (kind: PreparedQuery['kind']): boolean => kind === 'construct' || kind === 'describe';

export const rdfFormat = (mediaType: string): RdfFormat | undefined =>
  formats.list().find((format) => format.mediaTypes.includes(mediaType));

/** The canonical name of an RDF media type. Other types are returned as they are. */
export const canonicalType = (mediaType: string): string => rdfFormat(mediaType)?.mediaTypes[0] ?? mediaType;

/** The type to parse a body as; `undefined` if it is no known RDF type. */
export function readableType(mediaType: string): string | undefined {
  const format = rdfFormat(mediaType);
  const canonical = format !== undefined && isReadable(format) ? format.mediaTypes[0] : undefined;
  return canonical === undefined ? undefined : (READ_AS[canonical] ?? canonical);
}

/** The media type to write for a file extension. */
export const writableType = (extension: string): string | undefined =>
  writableFormats.find((format) => format.extensions.includes(extension.toLowerCase()))?.mediaTypes[0];

/** The `Content-Type` of a media type. Text types get their charset. */
export const contentType = (mediaType: string): string =>
  /^text\/|json$|xml$/.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
