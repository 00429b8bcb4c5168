/** The mixes of BSBM's test driver, as requests to a server. */
import { BUSINESS } from '../sparql/business-queries.js';
import { EXPLORE } from '../sparql/explore-queries.js';
import type { ParameterSource } from '../sparql/parameter-source.js';
import { drawnText, type QueryClass, withPrefixes } from '../sparql/query-class.js';
import { getRequest, postRequest } from './requests.js';
import type { Subject } from './subjects.js';

const ACCEPT = 'application/sparql-results+json, application/n-triples';
/** The numbers of the queries of a mix, in the order of the driver. Query 6 has left the benchmark. */
const EXPLORE_MIX = [1, 2, 2, 3, 2, 2, 4, 2, 2, 5, 7, 7, 5, 7, 7, 8, 9, 9, 8, 9, 9, 10, 10, 11, 12];
/** With updates, a product comes with each mix, and four offers go. */
const DELETIONS = 4;
const OFFERS = 20;
const REVIEWS = 10;
const INSTANCES = 'http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/instances/';

export interface Mix {
  /** Requests of one mix. */
  readonly length: number;
  next(): Buffer;
}

/** The mixes by name. Each has parameters of its own. */
export function mixesOf(subject: Subject, data: ParameterSource): Readonly<Record<string, Mix>> {
  const ask = (query: QueryClass) => (): Buffer =>
    getRequest(`${subject.query}?query=${encodeURIComponent(drawnText(query, data))}`, ACCEPT);
  const change = (text: () => string) => (): Buffer =>
    postRequest(subject.update, 'application/sparql-update', withPrefixes(text()));
  const explore = EXPLORE_MIX.map((number) => ask(EXPLORE.find(({ name }) => name.startsWith(`q${String(number)}-`))!));
  let made = 0;
  const insertion = change(() => `INSERT DATA {\n${productLines(made++, data)}}`);
  const deletion = change(() => `DELETE WHERE { ${data.offer()} ?p ?o }`);
  return {
    explore: mix(explore),
    'explore and update': mix([insertion, ...Array.from({ length: DELETIONS }, () => deletion), ...explore]),
    business: mix(BUSINESS.map(ask)),
  };
}

function mix(requests: readonly (() => Buffer)[]): Mix {
  let sent = 0;
  return { length: requests.length, next: () => requests[sent++ % requests.length]!() };
}

/** A product with its offers and reviews, as N-Triples. */
function productLines(number: number, data: ParameterSource): string {
  const { type, features } = data.describedProduct(2);
  const product = `<${INSTANCES}dataFromProducer1/NewProduct${String(number)}>`;
  const lines = [
    `${product} a ${type}, bsbm:Product ; rdfs:label "a new product, ${String(number)}" ; bsbm:producer ${data.producer()} ;`,
    `  bsbm:productFeature ${features.join(', ')} ; bsbm:productPropertyNumeric1 ${String(number % 2000)} .`,
  ];
  for (let i = 0; i < OFFERS; i++)
    lines.push(
      `<${INSTANCES}NewOffer${String(number)}-${String(i)}> a bsbm:Offer ; bsbm:product ${product} ; bsbm:price "${String(10 + i)}.5"^^bsbm:USD ;`,
      `  bsbm:validTo "2008-09-11T00:00:00"^^xsd:dateTime ; bsbm:deliveryDays ${String(1 + (i % 7))} .`,
    );
  for (let i = 0; i < REVIEWS; i++)
    lines.push(
      `<${INSTANCES}NewReview${String(number)}-${String(i)}> a rev:Review ; bsbm:reviewFor ${product} ; dc:title "a review, ${String(i)}" ;`,
      `  rev:text "what somebody says of product ${String(number)}"@en ; bsbm:rating1 ${String(1 + i)} .`,
    );
  return `${lines.join('\n')}\n`;
}
