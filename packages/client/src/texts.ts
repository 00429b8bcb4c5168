/** Terms, patterns and requests in the words of the server. */
import { dataFactory, literal, termToNTriples } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { ClientError } from './client-error.js';
import type { QuadPattern, QueryOptions, Ref } from './types.js';

const XSD = 'http://www.w3.org/2001/XMLSchema#';

export const refText = (ref: Ref): string => (ref instanceof Date ? ref.toISOString() : String(ref));

/** Whether a name in a path leads to another address: an empty one to that of the list, dots to one above. */
const leadsElsewhere = (name: string): boolean => /^\.{0,2}$/.test(name);

/** The path of something with a name. @throws ClientError with this code for a name that nothing can have */
export function pathOf(list: string, name: string, code: string, status = 404): string {
  if (leadsElsewhere(name)) throw new ClientError(`not a name in ${list.slice(1)}: "${name}"`, { code, status });
  return `${list}/${encodeURIComponent(name)}`;
}

/** @throws ClientError `INVALID_REF` */
export const revisionPath = (ref: Ref): string => pathOf('/revisions', refText(ref), 'INVALID_REF', 400);

/** A value of a template. */
function termOf(value: unknown): RDF.Term {
  if (typeof value === 'object' && value !== null && 'termType' in value) return value as RDF.Term;
  if (typeof value === 'string') return literal(value);
  if (typeof value === 'boolean') return typed(String(value), 'boolean');
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return typed(String(value), 'integer');
  if (typeof value === 'number') return typed(Number.isFinite(value) ? String(value) : xsdInfinity(value), 'double');
  if (value instanceof Date) return typed(value.toISOString(), 'dateTime');
  throw new TypeError(`no term: ${String(value)}`);
}

const typed = (text: string, type: string): RDF.Literal => literal(text, dataFactory.namedNode(`${XSD}${type}`));
const xsdInfinity = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF');

/** A text, or a template whose values become terms and never text. */
export function textOf(strings: string | TemplateStringsArray, values: readonly unknown[]): string {
  if (typeof strings === 'string') return strings;
  return strings.reduce((text, part, i) => text + termToNTriples(termOf(values[i - 1])) + part);
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  nt: 'application/n-triples',
  nq: 'application/n-quads',
  ttl: 'text/turtle',
  trig: 'application/trig',
  rdf: 'application/rdf+xml',
  jsonld: 'application/ld+json',
  rj: 'application/rdf+json',
  trix: 'application/trix',
};

/** The media type of a format, which is a name or a media type. */
export const mediaTypeOf = (format: string): string => MEDIA_TYPES[format] ?? format;

const WITH_GRAPHS = /n-quads|trig|ld\+json|trix|rdf-patch/;

/** Whether a format has named graphs. */
export const hasGraphs = (mediaType: string): boolean => WITH_GRAPHS.test(mediaType);

const NAMELESS: Readonly<Record<string, string>> = {
  'application/n-quads': 'application/n-triples',
  'application/trig': 'text/turtle',
};

/** A format of the same syntax without names of graphs, if there is one. */
export const withoutGraphs = (mediaType: string): string => NAMELESS[mediaType] ?? mediaType;

/** Parameters of a pattern. */
export function patternParameters(pattern: QuadPattern): Record<string, string | undefined> {
  const text = (term: RDF.Term | null | undefined): string | undefined =>
    !term || term.termType === 'Variable' ? undefined : termToNTriples(term);
  const { subject, predicate, object, graph } = pattern;
  const context = graph?.termType === 'DefaultGraph' ? '' : text(graph);
  return { subj: text(subject), pred: text(predicate), obj: text(object), context };
}

export function queryParameters(options: QueryOptions): Record<string, string | readonly string[] | undefined> {
  const { timeoutMs, bindings = {}, defaultGraphUris, namedGraphUris } = options;
  const values = Object.entries(bindings).map(([name, term]) => [`$${name}`, termToNTriples(term)] as const);
  return {
    ...Object.fromEntries(values),
    timeout: timeoutMs === undefined ? undefined : String(timeoutMs / 1000),
    'default-graph-uri': defaultGraphUris,
    'named-graph-uri': namedGraphUris,
  };
}

/** A quad as a line of N-Quads. */
export function lineOf({ subject, predicate, object, graph }: RDF.Quad): string {
  const terms = [subject, predicate, object, ...(graph.termType === 'DefaultGraph' ? [] : [graph])];
  return `${terms.map((term) => termToNTriples(term)).join(' ')} .\n`;
}

/** Whether a term has a blank node, whose label means nothing to a server. */
export const hasBlankNode = (term: RDF.Term): boolean =>
  term.termType === 'BlankNode' ||
  (term.termType === 'Quad' && [term.subject, term.predicate, term.object].some((part) => hasBlankNode(part)));
