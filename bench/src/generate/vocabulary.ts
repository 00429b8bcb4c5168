/** IRIs of the Berlin SPARQL Benchmark, and terms that many quads share. */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from 'quadrille';

export const { namedNode, literal, quad, defaultGraph } = dataFactory;

const BSBM = 'http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/';
export const INSTANCES = `${BSBM}instances/`;
const VOCABULARY = `${BSBM}vocabulary/`;
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';
const DC = 'http://purl.org/dc/elements/1.1/';
const REV = 'http://purl.org/stuff/rev#';
const FOAF = 'http://xmlns.com/foaf/0.1/';

const nodes = <Name extends string>(namespace: string, names: readonly Name[]): Record<Name, RDF.NamedNode> =>
  Object.fromEntries(names.map((name) => [name, namedNode(namespace + name)])) as Record<Name, RDF.NamedNode>;
const numbered = (name: string, count: number): RDF.NamedNode[] =>
  Array.from({ length: count }, (_, n) => namedNode(`${VOCABULARY}${name}${n + 1}`));

export const RDF_TYPE = namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');
export const { label, comment, subClassOf } = nodes(RDFS, ['label', 'comment', 'subClassOf']);
export const { publisher, date, title } = nodes(DC, ['publisher', 'date', 'title']);
export const { Review, reviewer, text: reviewText } = nodes(REV, ['Review', 'reviewer', 'text']);
export const { Person, name, mbox_sha1sum, homepage } = nodes(FOAF, ['Person', 'name', 'mbox_sha1sum', 'homepage']);
export const bsbm = nodes(VOCABULARY, [
  'ProductType',
  'ProductFeature',
  'Producer',
  'Product',
  'Vendor',
  'Offer',
  'producer',
  'productFeature',
  'product',
  'vendor',
  'price',
  'validFrom',
  'validTo',
  'deliveryDays',
  'offerWebpage',
  'reviewFor',
  'reviewDate',
  'country',
  'USD',
]);
export const numeric = numbered('productPropertyNumeric', 6);
export const textual = numbered('productPropertyTextual', 6);
export const ratings = numbered('rating', 4);
const { integer, date: xsdDate, dateTime } = nodes(XSD, ['integer', 'date', 'dateTime']);

const country = (code: string): RDF.NamedNode => namedNode(`http://downlode.org/rdf/iso-3166/countries#${code}`);
/** Countries with their frequencies: four of ten are the United States. */
export const COUNTRIES: readonly RDF.NamedNode[] = [
  ...Array.from({ length: 8 }, () => 'US'),
  ...'CN CN GB GB JP JP DE ES FR RU AT KR'.split(' '),
].map(country);
/** Languages of reviews with their frequencies: every second one is English. */
export const LANGUAGES = ['en', 'en', 'en', 'en', 'en', 'en', 'en', 'zh', 'ja', 'de', 'es', 'fr', 'ru', 'ko'] as const;

const DAY_MS = 86_400_000;
/** Days since 1970. */
export const day = (isoDate: string): number => Date.parse(isoDate) / DAY_MS;
const isoDay = (days: number): string => new Date(days * DAY_MS).toISOString().slice(0, 10);

export const integerOf = (value: number): RDF.Literal => literal(String(value), integer);
export const dateOf = (days: number): RDF.Literal => literal(isoDay(days), xsdDate);
export const dateTimeOf = (days: number): RDF.Literal => literal(`${isoDay(days)}T00:00:00`, dateTime);
