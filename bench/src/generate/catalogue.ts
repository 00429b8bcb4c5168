/** Product types, features, producers and their products. */
import type { EntityWriter } from './entities.js';
import { featureNode, INSTITUTION, producerNode, producerOf, productNode, typeNode } from './entities.js';
import { TYPE_BRANCHES } from './shape.js';
import {
  bsbm,
  comment,
  COUNTRIES,
  date,
  dateOf,
  day,
  homepage,
  integerOf,
  label,
  literal,
  namedNode,
  numeric,
  publisher,
  RDF_TYPE,
  subClassOf,
  textual,
} from './vocabulary.js';
import { text } from './words.js';

const parentOf = (type: number): number => Math.floor((type - 1) / TYPE_BRANCHES);
/** The shares of products that have the first to the sixth property. */
const SHARES = [1, 1, 1, 0.5, 0.55, 0.2];

function standard(out: EntityWriter): void {
  out.add(publisher, INSTITUTION);
  out.add(date, dateOf(out.random.between(day('2000-01-01'), day('2000-12-31'))));
}

export function describeType(out: EntityWriter, index: number): void {
  out.begin('type', index, typeNode(index));
  out.add(RDF_TYPE, bsbm.ProductType);
  out.add(label, literal(text(out.random, 1, 3)));
  out.add(comment, literal(text(out.random, 20, 50)));
  if (index > 0) out.add(subClassOf, typeNode(parentOf(index)));
  standard(out);
}

export function describeFeature(out: EntityWriter, index: number): void {
  out.begin('feature', index, featureNode(index));
  out.add(RDF_TYPE, bsbm.ProductFeature);
  out.add(label, literal(text(out.random, 1, 3)));
  out.add(comment, literal(text(out.random, 20, 50)));
  standard(out);
}

export function describeProducer(out: EntityWriter, index: number): void {
  const { random } = out;
  out.begin('producer', index, producerNode(index));
  out.add(RDF_TYPE, bsbm.Producer);
  out.add(label, literal(text(random, 1, 3)));
  out.add(comment, literal(text(random, 20, 50)));
  out.add(homepage, namedNode(`http://www.producer${index + 1}.com/`));
  out.add(bsbm.country, random.pick(COUNTRIES));
  out.add(publisher, producerNode(index));
  out.add(date, dateOf(random.between(day('2000-01-01'), day('2008-06-20'))));
}

export function describeProduct(out: EntityWriter, index: number): void {
  const { random, shape } = out;
  out.begin('product', index, productNode(index));
  const types = typesOf(leafType(out));
  out.add(RDF_TYPE, bsbm.Product);
  out.add(label, literal(text(random, 1, 3)));
  out.add(comment, literal(text(random, 50, 150)));
  for (const type of types) out.add(RDF_TYPE, typeNode(type));
  out.add(bsbm.producer, producerNode(producerOf(index)));
  numeric.forEach((property, n) => {
    if (random.chance(SHARES[n]!)) out.add(property, integerOf(random.between(1, 2000)));
  });
  textual.forEach((property, n) => {
    if (random.chance(SHARES[n]!)) out.add(property, literal(text(random, 3, 15)));
  });
  for (const feature of featuresOf(types, out, shape.features)) out.add(bsbm.productFeature, featureNode(feature));
  out.add(publisher, producerNode(producerOf(index)));
  out.add(date, dateOf(random.between(day('2000-09-01'), day('2008-06-20'))));
}

/** A type without subtypes. */
function leafType({ random, shape }: EntityWriter): number {
  return random.between(parentOf(shape.types - 1) + 1, shape.types - 1);
}

/** The types from the leaf up to the root. */
function typesOf(leaf: number): number[] {
  const types = [leaf];
  for (let type = leaf; type > 0;) types.push((type = parentOf(type)));
  return types;
}

/** The features of a product. Each type has its own range of features, so products of a type resemble each other. */
function featuresOf(types: readonly number[], { random, shape }: EntityWriter, features: number): Set<number> {
  const range = Math.max(8, Math.floor(features / shape.types));
  const chosen = new Set<number>();
  const wanted = Math.min(random.between(12, 29), features);
  for (let turn = 0; chosen.size < wanted && turn < 4 * wanted; turn++) {
    const type = types[turn % types.length]!;
    chosen.add((Math.floor((type / shape.types) * features) + random.below(range)) % features);
  }
  return chosen;
}
