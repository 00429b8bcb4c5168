/** Queries that read much of the data: counts, groups, paths, sorts. */
import type { QueryClass } from './query-class.js';

const COUNT = '(COUNT(*) AS ?n)';
const none = (): Record<string, string> => ({});

export const ANALYTICAL: readonly QueryClass[] = [
  {
    name: 'count-by-type',
    kind: 'analytical',
    draw: none,
    text: () => 'SELECT ?type (COUNT(?s) AS ?n) WHERE { ?s a ?type } GROUP BY ?type',
  },
  {
    name: 'top-features',
    kind: 'analytical',
    draw: none,
    text: () =>
      'SELECT ?feature (COUNT(?product) AS ?n) WHERE { ?product bsbm:productFeature ?feature } GROUP BY ?feature ORDER BY DESC(?n) ?feature LIMIT 10',
  },
  {
    name: 'average-price-by-country',
    kind: 'analytical',
    draw: none,
    // Sums of doubles depend on the order of the additions.
    inexact: true,
    text: () => `SELECT ?country (AVG(xsd:double(str(?price))) AS ?average) WHERE {
  ?offer bsbm:vendor ?vendor ; bsbm:price ?price .
  ?vendor bsbm:country ?country
} GROUP BY ?country`,
  },
  {
    name: 'join-count',
    kind: 'analytical',
    draw: none,
    text: () => `SELECT ${COUNT} WHERE {
  ?review bsbm:reviewFor ?product .
  ?product bsbm:producer ?producer .
  ?producer bsbm:country ?country
}`,
  },
  {
    name: 'path-of-types',
    kind: 'analytical',
    draw: none,
    text: () => `SELECT ${COUNT} WHERE { ?type a bsbm:ProductType ; rdfs:subClassOf* ?above }`,
  },
  {
    name: 'path-to-products',
    kind: 'analytical',
    draw: (data) => ({ type: data.innerType() }),
    text: ({ type }) =>
      `SELECT (COUNT(DISTINCT ?product) AS ?n) WHERE { ?product a/rdfs:subClassOf* ${type} ; bsbm:producer ?producer }`,
  },
  {
    name: 'optional-not-bound',
    kind: 'analytical',
    draw: none,
    text: () => `SELECT ${COUNT} WHERE {
  ?review a rev:Review
  OPTIONAL { ?review bsbm:rating1 ?rating }
  FILTER (!bound(?rating))
}`,
  },
  {
    name: 'regex-over-labels',
    kind: 'analytical',
    draw: (data) => ({ word: data.labelWord() }),
    text: ({ word }) => `SELECT ?s ?label WHERE { ?s rdfs:label ?label FILTER regex(?label, "${word}", "i") }`,
  },
  {
    name: 'price-range',
    kind: 'analytical',
    draw: (data) => ({ limit: String(100 + Math.floor(data.random() * 9000)) }),
    text: ({ limit }) => `SELECT ${COUNT} WHERE {
  ?offer bsbm:price ?price ; bsbm:deliveryDays ?days
  FILTER (xsd:double(str(?price)) < ${limit} && ?days <= 3)
}`,
  },
  {
    name: 'distinct-order-by',
    kind: 'analytical',
    draw: none,
    text: () => 'SELECT DISTINCT ?title WHERE { ?review dc:title ?title } ORDER BY ?title',
  },
  {
    name: 'count-all',
    kind: 'analytical',
    draw: none,
    text: () => `SELECT ${COUNT} WHERE { ?s ?p ?o }`,
  },
  {
    name: 'group-by-predicate',
    kind: 'analytical',
    draw: none,
    text: () => `SELECT ?p ${COUNT} WHERE { ?s ?p ?o } GROUP BY ?p`,
  },
];
