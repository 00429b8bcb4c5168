/** Lookups and queries about known entities, the same in a large store and in a small one of the same kind. */
import { open } from 'quadrille';
import type { Repository } from 'quadrille';
import type * as RDF from '@rdfjs/types';
import { REPOSITORY } from '../data-sets.js';
import { offerNode, productNode, reviewNode } from '../generate/entities.js';
import { Random } from '../generate/random.js';
import type { Shape } from '../generate/shape.js';
import { timed } from '../measure.js';
import { spreadOf } from '../report/statistics.js';
import type { Figure, Figures } from '../workload.js';
import { figure } from '../workload.js';

const LOOKUPS = 20_000;
/** Number of texts of each query about one product or offer; each text is about another one. */
const TEXTS = 100;
const ANALYTICAL_RUNS = 3;

const PREFIXES = `PREFIX bsbm: <http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/vocabulary/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX rev: <http://purl.org/stuff/rev#>
PREFIX foaf: <http://xmlns.com/foaf/0.1/>
`;
/** Queries about one product. They read as much in a large store as in a small one. */
const ABOUT_A_PRODUCT: Readonly<Record<string, (product: string) => string>> = {
  'query, product': (product) =>
    `SELECT ?label ?producer ?feature { ${product} rdfs:label ?label ; bsbm:producer/rdfs:label ?producer ; bsbm:productFeature/rdfs:label ?feature }`,
  'query, offers': (product) =>
    `SELECT ?offer ?price ?country { ?offer bsbm:product ${product} ; bsbm:price ?price ; bsbm:vendor/bsbm:country ?country }`,
  'query, reviews': (product) =>
    `SELECT ?review ?name ?rating { ?review bsbm:reviewFor ${product} ; rev:reviewer/foaf:name ?name OPTIONAL { ?review bsbm:rating1 ?rating } }`,
};
/** Queries about all data. They read more in a larger store. */
const ABOUT_ALL: Readonly<Record<string, string>> = {
  'analytical, predicates': 'SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p',
  'analytical, delivery by country':
    'SELECT ?country (AVG(?days) AS ?mean) { ?offer bsbm:vendor/bsbm:country ?country ; bsbm:deliveryDays ?days } GROUP BY ?country',
  'analytical, best rated':
    'SELECT ?product (COUNT(?review) AS ?n) { ?review bsbm:reviewFor ?product ; bsbm:rating1 10 } GROUP BY ?product ORDER BY DESC(?n) LIMIT 10',
};

/** Opens the store first, so that the caches of the engine are empty. */
export async function growingReads(path: string, shape: Shape): Promise<Figures> {
  const opened = await timed(() => open(path, { create: false }));
  const db = opened.result;
  const repository = await db.repository(REPOSITORY);
  const figures: Record<string, Figure> = {
    open: figure(opened.seconds * 1000, 'ms'),
    ...(await lookups(repository, shape)),
  };
  for (const [name, text] of Object.entries(ABOUT_A_PRODUCT)) {
    figures[name] = figure(await aboutProducts(repository, shape, text), 'ms');
  }
  for (const [name, text] of Object.entries(ABOUT_ALL)) {
    const times: number[] = [];
    for (let run = 0; run < ANALYTICAL_RUNS; run++) {
      times.push((await timed(() => rowsOf(repository, text))).seconds);
    }
    figures[name] = figure(spreadOf(times).median * 1000, 'ms');
  }
  await db.close();
  return figures;
}

async function lookups(repository: Repository, { offers, products, reviews }: Shape): Promise<Figures> {
  const random = startedRandom();
  const subjects: RDF.NamedNode[] = Array.from({ length: LOOKUPS }, (_, n) => {
    if (n % 3 === 0) return offerNode(random.below(offers));
    // The last reviews may be missing, because the data are cut off at the requested number of quads.
    return n % 3 === 1 ? productNode(random.below(products)) : reviewNode(random.below(Math.floor(reviews * 0.9)));
  });
  const pass = async (): Promise<number> => {
    let rows = 0;
    for (const subject of subjects) {
      const before = rows;
      for await (const quad of repository.quads({ subject })) rows += quad.object === undefined ? 0 : 1;
      if (rows === before) throw new Error(`nothing is known of ${subject.value}`);
    }
    return rows;
  };
  const cold = await timed(pass);
  const warm = await timed(pass);
  return {
    'lookups, first': figure(LOOKUPS / cold.seconds, 'lookups/s'),
    'lookups, again': figure(LOOKUPS / warm.seconds, 'lookups/s'),
  };
}

/** The median time of all texts. Each text is measured at its second run. */
async function aboutProducts(
  repository: Repository,
  { products }: Shape,
  text: (product: string) => string,
): Promise<number> {
  const random = startedRandom();
  const times: number[] = [];
  for (let n = 0; n < TEXTS; n++) {
    const query = text(`<${productNode(random.below(products)).value}>`);
    await rowsOf(repository, query);
    times.push((await timed(() => rowsOf(repository, query))).seconds * 1000);
  }
  return spreadOf(times).median;
}

async function rowsOf(repository: Repository, text: string): Promise<number> {
  return (await repository.select(PREFIXES + text).toArray()).length;
}

function startedRandom(): Random {
  const random = new Random();
  random.restart(1, 0, 0);
  return random;
}
