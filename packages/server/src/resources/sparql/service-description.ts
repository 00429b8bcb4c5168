/** The SPARQL 1.1 Service Description of an endpoint. */
import { RESULT_FORMATS } from '@quadrille/formats';
import type * as RDF from '@rdfjs/types';
import type { Context } from '../../context.js';
import { blankNode, defaultGraph, iri, literal, quad } from 'quadrille';
import { acceptable } from '../../message/acceptable.js';
import { graphDocument } from '../../documents/answer-document.js';
import { entityTag, notModified } from '../../message/conditional.js';
import { contentType, GRAPH_STORE_OFFERS } from '../../documents/media-types.js';
import { baseUrl, type OpenView, openView, type Service } from '../../service.js';
import { textBody } from '../../message/text-body.js';
import { Reply } from '../../message/reply.js';

const SD = 'http://www.w3.org/ns/sparql-service-description#';
const VOID = 'http://rdfs.org/ns/void#';
const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const XSD_INTEGER = 'http://www.w3.org/2001/XMLSchema#integer';
const FORMATS = 'http://www.w3.org/ns/formats/';

const LANGUAGES = ['SPARQL10Query', 'SPARQL11Query', 'SPARQL11Update'];
/** Formats that the W3C has named. */
const W3C_FORMATS: Readonly<Record<string, string>> = {
  'application/n-triples': 'N-Triples',
  'application/n-quads': 'N-Quads',
  'text/turtle': 'Turtle',
  'application/trig': 'TriG',
  'application/rdf+xml': 'RDF_XML',
  'application/ld+json': 'JSON-LD',
  'application/sparql-results+json': 'SPARQL_Results_JSON',
  'application/sparql-results+xml': 'SPARQL_Results_XML',
  'text/csv': 'SPARQL_Results_CSV',
  'text/tab-separated-values': 'SPARQL_Results_TSV',
};
/** Most named graphs in the description. `/contexts` lists all. */
const MOST_GRAPHS = 1000;

export async function serviceDescription(service: Service, context: Context): Promise<Reply> {
  const parameters = context.parameters;
  const mediaType = acceptable(context, parameters, GRAPH_STORE_OFFERS);
  const opened = await openView(service, context, parameters);
  const unchanged = notModified(context, opened.revision);
  if (unchanged !== undefined) return unchanged;
  // The endpoint is the address of the request, in the form that the client uses.
  const endpoint = baseUrl(service, context) + new URL(context.request.url).pathname;
  const quads = await description(endpoint, opened);
  return new Reply(await textBody(graphDocument(mediaType, quads, { sd: SD, void: VOID, formats: FORMATS })), {
    headers: { 'Content-Type': contentType(mediaType), ETag: entityTag(opened.revision), Vary: 'Accept' },
  });
}

async function description(endpoint: string, { view }: OpenView): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  const say = (subject: RDF.BlankNode, predicate: string, object: RDF.Quad_Object): void => {
    quads.push(quad(subject, iri(predicate), object));
  };
  const node = (label: string, type: string): RDF.BlankNode => {
    const made = blankNode(label);
    say(made, RDF_TYPE, iri(SD + type));
    return made;
  };
  const count = (size: number): RDF.Literal => literal(String(size), iri(XSD_INTEGER));
  const service = node('service', 'Service');
  say(service, `${SD}endpoint`, iri(endpoint));
  for (const language of LANGUAGES) say(service, `${SD}supportedLanguage`, iri(SD + language));
  for (const [name, types] of [
    ['inputFormat', GRAPH_STORE_OFFERS],
    ['resultFormat', [...GRAPH_STORE_OFFERS, ...RESULT_FORMATS.flatMap((format) => format.mediaTypes)]],
  ] as const) {
    for (const type of new Set(types)) {
      const format = W3C_FORMATS[type];
      if (format !== undefined) say(service, SD + name, iri(FORMATS + format));
    }
  }
  const dataset = node('dataset', 'Dataset');
  say(service, `${SD}defaultDataset`, dataset);
  const unnamed = node('default', 'Graph');
  say(dataset, `${SD}defaultGraph`, unnamed);
  say(unnamed, `${VOID}triples`, count(await view.count({ graph: defaultGraph() })));
  let graphs = 0;
  for await (const name of view.graphs()) {
    if (++graphs > MOST_GRAPHS) break;
    if (name.termType !== 'NamedNode') continue;
    const named = node(`named${String(graphs)}`, 'NamedGraph');
    say(dataset, `${SD}namedGraph`, named);
    say(named, `${SD}name`, name);
  }
  return quads;
}
