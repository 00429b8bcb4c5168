/**
 * Numbers of entities of each kind for data of a given size, in the proportions of the Berlin SPARQL Benchmark's
 * generator.
 */

const OFFERS_PER_PRODUCT = 20;
const REVIEWS_PER_PRODUCT = 10;
export const PRODUCTS_PER_PRODUCER = 47;
export const OFFERS_PER_VENDOR = 1900;
export const REVIEWS_PER_REVIEWER = 20;
export const REVIEWERS_PER_SITE = 100;
/** Number of subtypes of each product type. */
export const TYPE_BRANCHES = 6;

/** Average number of quads of an entity. */
const QUADS = { type: 6, feature: 5, producer: 7, product: 39.1, vendor: 7, offer: 10, reviewer: 6, review: 10.8 };
/** Factor by which more products are made than the average requires. The surplus is cut off. */
const MARGIN = 1.02;

export interface Shape {
  readonly types: number;
  readonly features: number;
  readonly products: number;
  readonly offers: number;
  readonly reviews: number;
}

/** The smallest shape that has at least this many quads. */
export function shapeFor(quads: number): Shape {
  let [products, above] = [0, 1];
  while (quadsOf(shapeOf(above)) < quads * MARGIN) above *= 2;
  while (above - products > 1) {
    const middle = Math.floor((products + above) / 2);
    if (quadsOf(shapeOf(middle)) < quads * MARGIN) products = middle;
    else above = middle;
  }
  return shapeOf(above);
}

function shapeOf(products: number): Shape {
  // Types and features grow slower than products. The exponents and factors fit the data sets of 285 and of 2848
  // products.
  const share = products / 285;
  return {
    types: Math.max(1 + TYPE_BRANCHES, Math.round(37 * share ** 0.61)),
    features: Math.min(60 + 8 * products, Math.round(1955 * share ** 0.385)),
    products,
    offers: products * OFFERS_PER_PRODUCT,
    reviews: products * REVIEWS_PER_PRODUCT,
  };
}

function quadsOf({ types, features, products, offers, reviews }: Shape): number {
  return (
    types * QUADS.type +
    features * QUADS.feature +
    products * QUADS.product +
    (products / PRODUCTS_PER_PRODUCER) * QUADS.producer +
    (offers / OFFERS_PER_VENDOR) * QUADS.vendor +
    offers * QUADS.offer +
    (reviews / REVIEWS_PER_REVIEWER) * QUADS.reviewer +
    reviews * QUADS.review
  );
}
