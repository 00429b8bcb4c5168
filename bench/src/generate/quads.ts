/** Generates data like those of the Berlin SPARQL Benchmark, of any size. Keeps only one entity in memory. */
import type * as RDF from '@rdfjs/types';
import { termToText } from 'quadrille';
import { describeFeature, describeProducer, describeProduct, describeType } from './catalogue.js';
import type { GeneratorOptions } from './entities.js';
import { EntityWriter, producerOf, reviewerOf, vendorOf } from './entities.js';
import { describeOffer, describeReview, describeReviewer, describeVendor } from './market.js';
import { shapeFor } from './shape.js';

const CHUNK_CHARS = 1 << 16;

/** Generates exactly this many different quads. The same options give the same quads. */
export function* generateQuads({ quads, seed = 1, graphs = 0 }: GeneratorOptions): Generator<RDF.Quad> {
  const out = new EntityWriter(shapeFor(quads), seed, graphs);
  let left = quads;
  for (const _ of entities(out)) {
    for (const quad of out.quads) {
      if (left-- === 0) return;
      yield quad;
    }
    out.quads.length = 0;
  }
  throw new Error(`the shape for ${quads} quads has ${left} too few`);
}

/** Describes one entity per step. */
function* entities(out: EntityWriter): Generator<void> {
  const { types, features, products, offers, reviews } = out.shape;
  for (let type = 0; type < types; type++) yield describeType(out, type);
  for (let feature = 0; feature < features; feature++) yield describeFeature(out, feature);
  for (let product = 0; product < products; product++) {
    if (product === 0 || producerOf(product) !== producerOf(product - 1))
      yield describeProducer(out, producerOf(product));
    yield describeProduct(out, product);
  }
  for (let offer = 0; offer < offers; offer++) {
    if (offer === 0 || vendorOf(offer) !== vendorOf(offer - 1)) yield describeVendor(out, vendorOf(offer));
    yield describeOffer(out, offer);
  }
  for (let review = 0; review < reviews; review++) {
    if (review === 0 || reviewerOf(review) !== reviewerOf(review - 1)) {
      yield describeReviewer(out, reviewerOf(review));
    }
    yield describeReview(out, review);
  }
}

/** Quads as chunks of N-Quads text. */
export function* nquadsChunks(quads: Iterable<RDF.Quad>): Generator<string> {
  let chunk = '';
  for (const { subject, predicate, object, graph } of quads) {
    const name = graph.termType === 'DefaultGraph' ? '' : ` <${graph.value}>`;
    chunk += `<${subject.value}> <${predicate.value}> ${termToText(object)}${name} .\n`;
    if (chunk.length < CHUNK_CHARS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
