/**
 * The entities and their names. A name contains the number of the entity's source, so every entity can be referred
 * to.
 */
import type * as RDF from '@rdfjs/types';
import { Random } from './random.js';
import { OFFERS_PER_VENDOR, PRODUCTS_PER_PRODUCER, REVIEWERS_PER_SITE, REVIEWS_PER_REVIEWER } from './shape.js';
import type { Shape } from './shape.js';
import { defaultGraph, INSTANCES, namedNode, quad } from './vocabulary.js';

/** Numbers that give each kind its own random source. */
export const KINDS = {
  type: 1,
  feature: 2,
  producer: 3,
  product: 4,
  vendor: 5,
  offer: 6,
  reviewer: 7,
  review: 8,
} as const;
export type Kind = keyof typeof KINDS;

/** Options of the generated data. */
export interface GeneratorOptions {
  /** The number of quads. */
  readonly quads: number;
  /** Seed of the random numbers. Other seeds give other data of the same shape. Default 1. */
  readonly seed?: number;
  /**
   * Number of named graphs over which the entities are spread; each entity is in one graph. Default 0: the default
   * graph.
   */
  readonly graphs?: number;
}

/** Collects the quads of one entity after the other, each entity in its graph. */
export class EntityWriter {
  readonly random = new Random();
  readonly #graphs: readonly RDF.NamedNode[];
  #graph: RDF.NamedNode | RDF.DefaultGraph = defaultGraph();
  #subject: RDF.NamedNode = namedNode('');
  quads: RDF.Quad[] = [];

  constructor(
    readonly shape: Shape,
    readonly seed: number,
    graphs: number,
  ) {
    this.#graphs = Array.from({ length: graphs }, (_, n) => namedNode(`${INSTANCES}graph${n + 1}`));
  }

  /** Begins an entity. Numbers of entities start at 0. */
  begin(kind: Kind, index: number, subject: RDF.NamedNode): void {
    this.random.restart(this.seed, KINDS[kind], index);
    this.#graph = this.graphOf(kind, index);
    this.#subject = subject;
  }

  add(predicate: RDF.NamedNode, object: RDF.NamedNode | RDF.Literal): void {
    this.quads.push(quad(this.#subject, predicate, object, this.#graph));
  }

  graphOf(kind: Kind, index: number): RDF.NamedNode | RDF.DefaultGraph {
    if (this.#graphs.length === 0) return this.#graph;
    return this.#graphs[(index * 8 + KINDS[kind]) % this.#graphs.length]!;
  }
}

const instance = (path: string): RDF.NamedNode => namedNode(INSTANCES + path);

export const INSTITUTION = instance('StandardizationInstitution1');
export const typeNode = (index: number): RDF.NamedNode => instance(`ProductType${index + 1}`);
export const featureNode = (index: number): RDF.NamedNode => instance(`ProductFeature${index + 1}`);

const producerOf = (product: number): number => Math.floor(product / PRODUCTS_PER_PRODUCER);
const vendorOf = (offer: number): number => Math.floor(offer / OFFERS_PER_VENDOR);
const reviewerOf = (review: number): number => Math.floor(review / REVIEWS_PER_REVIEWER);
const siteOf = (reviewer: number): number => Math.floor(reviewer / REVIEWERS_PER_SITE);

export const producerNode = (index: number): RDF.NamedNode =>
  instance(`dataFromProducer${index + 1}/Producer${index + 1}`);
export const productNode = (index: number): RDF.NamedNode =>
  instance(`dataFromProducer${producerOf(index) + 1}/Product${index + 1}`);
export const vendorNode = (index: number): RDF.NamedNode => instance(`dataFromVendor${index + 1}/Vendor${index + 1}`);
export const offerNode = (index: number): RDF.NamedNode =>
  instance(`dataFromVendor${vendorOf(index) + 1}/Offer${index + 1}`);
export const reviewerNode = (index: number): RDF.NamedNode =>
  instance(`dataFromRatingSite${siteOf(index) + 1}/Reviewer${index + 1}`);
export const reviewNode = (index: number): RDF.NamedNode =>
  instance(`dataFromRatingSite${siteOf(reviewerOf(index)) + 1}/Review${index + 1}`);
export const siteNode = (index: number): RDF.NamedNode =>
  instance(`dataFromRatingSite${index + 1}/RatingSite${index + 1}`);

export { producerOf, reviewerOf, siteOf, vendorOf };
