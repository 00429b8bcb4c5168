/** Changes in the words of the server: quads that come and go, and updates. */
import { termToNTriples } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { ClientError } from './client-error.js';
import type { Request } from './requests.js';
import { hasBlankNode, lineOf, queryParameters } from './texts.js';
import type { QuadPattern, UpdateOptions } from './types.js';

export type Quads = RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>;

export const updateOf = (text: string, { timeoutMs, bindings }: UpdateOptions = {}): Request => ({
  method: 'POST',
  path: '/sparql',
  parameters: queryParameters({ timeoutMs, bindings }),
  headers: { 'Content-Type': 'application/sparql-update' },
  body: text,
});

export const isQuads = (input: Quads | QuadPattern): input is Quads =>
  Symbol.iterator in input || Symbol.asyncIterator in input || 'equals' in input;

const manyOf = (quads: Quads): Iterable<RDF.Quad> | AsyncIterable<RDF.Quad> =>
  Symbol.iterator in quads || Symbol.asyncIterator in quads ? quads : [quads];

/** Quads as N-Quads. */
export async function linesOf(quads: Quads): Promise<string> {
  let text = '';
  for await (const each of manyOf(quads)) text += lineOf(each);
  return text;
}

/** The update that removes quads. @throws ClientError `INVALID_TERM` for blank nodes */
export async function deletionOf(quads: Quads): Promise<string> {
  let text = '';
  for await (const each of manyOf(quads)) {
    if ([each.subject, each.object, each.graph].some((term) => hasBlankNode(term))) throw notFoundByLabel();
    text += each.graph.termType === 'DefaultGraph' ? lineOf(each) : inGraph(each);
  }
  return `DELETE DATA {\n${text}}`;
}

// A line of N-Quads, as a pattern of SPARQL.
function inGraph({ subject, predicate, object, graph }: RDF.Quad): string {
  const [s, p, o, g] = [subject, predicate, object, graph].map((term) => termToNTriples(term));
  return `GRAPH ${g} { ${s} ${p} ${o} }\n`;
}

/** The update that removes what matches: in the default graph, in a named one, or in all. @throws ClientError as {@link deletionOf} */
export function removalOf({ subject, predicate, object, graph }: QuadPattern): string {
  const triple = `${part(subject, 's')} ${part(predicate, 'p')} ${part(object, 'o')}`;
  const ofDefault = `DELETE WHERE { ${triple} }`;
  if (graph?.termType === 'DefaultGraph') return ofDefault;
  const name = part(graph, 'g');
  const ofNamed = `DELETE WHERE { GRAPH ${name} { ${triple} } }`;
  return name === '?g' ? `${ofDefault} ; ${ofNamed}` : ofNamed;
}

function part(term: RDF.Term | null | undefined, name: string): string {
  if (term === undefined || term === null || term.termType === 'Variable') return `?${name}`;
  if (hasBlankNode(term)) throw notFoundByLabel();
  return termToNTriples(term);
}

const notFoundByLabel = (): ClientError =>
  new ClientError('a server cannot find a blank node by its label: remove by a pattern or an update', {
    code: 'INVALID_TERM',
    status: 0,
  });
