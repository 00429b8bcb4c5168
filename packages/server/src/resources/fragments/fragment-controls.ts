/** The metadata of a fragment: its number of triples, the addresses of its other pages, and the form for other fragments. */
import type * as RDF from '@rdfjs/types';
import { defaultGraph, iri, literal, quad } from 'quadrille';

const HYDRA = 'http://www.w3.org/ns/hydra/core#';
const VOID = 'http://rdfs.org/ns/void#';
const RDF_NS = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const XSD_INTEGER = 'http://www.w3.org/2001/XMLSchema#integer';
const FOAF_PRIMARY_TOPIC = 'http://xmlns.com/foaf/0.1/primaryTopic';
const POSITIONS = ['subject', 'predicate', 'object'] as const;

export const CONTROL_PREFIXES: Readonly<Record<string, string>> = {
  hydra: HYDRA,
  void: VOID,
  rdf: RDF_NS,
  foaf: 'http://xmlns.com/foaf/0.1/',
};

/** A page of a fragment. */
export interface Fragment {
  /** Its address, as it was asked for. */
  readonly url: string;
  /** Of all triples that match. */
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

/** In a graph of their own, where the format has graphs: so the triples of the fragment are those of the default graph. */
export function* controls(fragment: Fragment, inGraph: boolean): Generator<RDF.Quad> {
  const { url, total, page, perPage } = fragment;
  const graph = inGraph ? iri(`${withoutHash(url)}#metadata`) : defaultGraph();
  const [here, whole, dataset] = [iri(url), iri(pageUrl(url, undefined)), iri(`${datasetUrl(url)}#dataset`)];
  const say = (subject: RDF.Quad_Subject, predicate: string, object: RDF.Quad_Object): RDF.Quad =>
    quad(subject, iri(predicate), object, graph);
  const count = (value: number): RDF.Literal => literal(String(value), iri(XSD_INTEGER));
  if (graph.termType === 'NamedNode') yield say(graph, FOAF_PRIMARY_TOPIC, here);
  yield* searchForm(dataset, url, say);
  yield say(dataset, `${RDF_NS}type`, iri(`${VOID}Dataset`));
  yield say(dataset, `${RDF_NS}type`, iri(`${HYDRA}Collection`));
  yield say(dataset, `${VOID}subset`, here);
  if (!whole.equals(here)) yield say(whole, `${VOID}subset`, here);
  yield say(here, `${RDF_NS}type`, iri(`${HYDRA}PartialCollectionView`));
  yield say(here, `${VOID}triples`, count(total));
  yield say(here, `${HYDRA}totalItems`, count(total));
  yield say(here, `${HYDRA}itemsPerPage`, count(perPage));
  yield say(here, `${HYDRA}first`, iri(pageUrl(url, 1)));
  if (page > 1) yield say(here, `${HYDRA}previous`, iri(pageUrl(url, page - 1)));
  if (page * perPage < total) yield say(here, `${HYDRA}next`, iri(pageUrl(url, page + 1)));
}

/** The form by which a client asks for other fragments of the same graph and revision. */
function* searchForm(
  dataset: RDF.NamedNode,
  url: string,
  say: (subject: RDF.Quad_Subject, predicate: string, object: RDF.Quad_Object) => RDF.Quad,
): Generator<RDF.Quad> {
  const fixed = datasetUrl(url);
  // Blank nodes could be those of the data.
  const form = iri(`${fixed}#form`);
  yield say(dataset, `${HYDRA}search`, form);
  const operator = fixed.includes('?') ? '&' : '?';
  yield say(form, `${HYDRA}template`, literal(`${fixed}{${operator}${POSITIONS.join(',')}}`));
  yield say(form, `${HYDRA}variableRepresentation`, iri(`${HYDRA}ExplicitRepresentation`));
  for (const position of POSITIONS) {
    const mapping = iri(`${fixed}#${position}`);
    yield say(form, `${HYDRA}mapping`, mapping);
    yield say(mapping, `${HYDRA}variable`, literal(position));
    yield say(mapping, `${HYDRA}property`, iri(`${RDF_NS}${position}`));
  }
}

const withoutHash = (url: string): string => url.replace(/#.*$/s, '');

/** The address of another page; without a number that of the fragment as a whole. */
function pageUrl(url: string, page: number | undefined): string {
  const parsed = new URL(url);
  parsed.searchParams.delete('page');
  parsed.searchParams.delete('auth_token');
  if (page !== undefined) parsed.searchParams.set('page', String(page));
  return parsed.href;
}

/** The address without its pattern: what a revision and a graph are still named by. */
function datasetUrl(url: string): string {
  const parsed = new URL(url);
  for (const name of ['subject', 'predicate', 'object', 'subj', 'pred', 'obj', 'page', 'auth_token'])
    parsed.searchParams.delete(name);
  return parsed.href;
}
