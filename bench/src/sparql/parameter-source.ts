/** Draws parameters for queries from BSBM data. The sequence is always the same. */
import { seededRandom } from '@quadrille/storage/testing';
import type { ReadView } from 'quadrille';
import { iri } from 'quadrille';
import type * as RDF from '@rdfjs/types';

const BSBM = 'http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/vocabulary/';
const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';
const REV = 'http://purl.org/stuff/rev#';
/** The date in the texts of the queries. Offers that are valid then count as open. */
const TODAY = '2008-06-20T00:00:00';

interface Product {
  readonly iri: string;
  readonly type: string;
  /** The type of the product that the fewest products have. */
  readonly narrowType: string;
  readonly features: readonly string[];
  readonly numeric1: number;
  readonly numeric2: number;
  readonly numeric3: number;
}
interface Offer {
  readonly iri: string;
  readonly product: string;
  readonly country: string;
  readonly days: number;
}

export class ParameterSource {
  private constructor(
    readonly random: () => number,
    private readonly products: readonly Product[],
    private readonly offers: readonly Offer[],
    private readonly reviews: readonly string[],
    private readonly englishlyReviewed: readonly string[],
    private readonly innerTypes: readonly string[],
    private readonly words: readonly string[],
  ) {}

  /** Reads the required data by scans of some predicates. */
  static async read(view: ReadView): Promise<ParameterSource> {
    const pairs = (predicate: string): Promise<Pairs> => pairsOf(view, predicate);
    const reviewFor = valuesOf(await pairs(`${BSBM}reviewFor`));
    const english = (await pairs(`${REV}text`)).filter(
      ([, text]) => text.termType === 'Literal' && text.language === 'en',
    );
    const above = await pairs(`${RDFS}subClassOf`);
    const words = (await pairs(`${RDFS}label`)).flatMap(([, label]) => label.value.split(' '));
    return new ParameterSource(
      seededRandom(1),
      await readProducts(pairs, new Set(above.map(([type]) => type.value))),
      await readOffers(pairs),
      sorted(reviewFor.keys()),
      sorted(english.map(([review]) => reviewFor.get(review.value)!)),
      sorted(above.map(([, type]) => type.value)),
      sorted(words.filter((word) => /^[a-z]{5,}$/.test(word))),
    );
  }

  product(): string {
    return node(this.#pick(this.products).iri);
  }
  offer(): string {
    return node(this.#pick(this.offers).iri);
  }
  review(): string {
    return node(this.#pick(this.reviews));
  }
  /** A product, an offer or a review. */
  subject(): string {
    return this.#pick([() => this.product(), () => this.offer(), () => this.review()])();
  }
  /** The producer of a product: its number stands in the IRIs of both. */
  producer(): string {
    return this.product().replace(/(\d+)\/Product\d+>$/, '$1/Producer$1>');
  }
  /** A country from which something is offered. */
  country(): string {
    return node(this.#pick(this.offers).country);
  }
  /** The narrowest type of a product. */
  narrowType(): string {
    return node(this.#pick(this.products).narrowType);
  }
  innerType(): string {
    return node(this.#pick(this.innerTypes));
  }
  labelWord(): string {
    return this.#pick(this.words);
  }
  productWithEnglishReview(): string {
    return node(this.#pick(this.englishlyReviewed));
  }

  /** A product with one of its types, a number of its features, all its features, and its numbers. */
  describedProduct(features: number): Omit<Product, 'iri'> & { readonly allFeatures: readonly string[] } {
    const product = this.#pick(this.products.filter((one) => one.features.length >= features));
    const from = Math.floor(this.random() * (product.features.length - features + 1));
    const chosen = product.features.slice(from, from + features).map(node);
    return { ...product, type: node(product.type), features: chosen, allFeatures: product.features.map(node) };
  }

  featureNotIn(features: readonly string[]): string {
    const others = this.#pick(this.products)
      .features.map(node)
      .filter((feature) => !features.includes(feature));
    return others.length > 0 ? this.#pick(others) : this.featureNotIn(features);
  }

  /** A product for which there is another one that shares a feature and has similar values in both numbers. */
  productWithSimilar(distance1: number, distance2: number): string {
    for (;;) {
      const origin = this.#pick(this.products);
      const near = (other: Product): boolean =>
        other !== origin &&
        Math.abs(other.numeric1 - origin.numeric1) < distance1 &&
        Math.abs(other.numeric2 - origin.numeric2) < distance2 &&
        other.features.some((feature) => origin.features.includes(feature));
      if (this.products.some(near)) return node(origin.iri);
    }
  }

  /** A product, and a country from which it is offered with at most this delivery time, in days. */
  offeredProduct(days = Infinity): { product: string; country: string } {
    const { product, country } = this.#pick(this.offers.filter((offer) => offer.days <= days));
    return { product: node(product), country: node(country) };
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)]!;
  }
}

type Pairs = readonly (readonly [RDF.Term, RDF.Term])[];
type ReadPairs = (predicate: string) => Promise<Pairs>;

async function pairsOf(view: ReadView, predicate: string): Promise<Pairs> {
  const pairs: [RDF.Term, RDF.Term][] = [];
  for await (const { subject, object } of view.quads({ predicate: iri(predicate) })) pairs.push([subject, object]);
  return pairs;
}

async function readProducts(read: ReadPairs, types: ReadonlySet<string>): Promise<Product[]> {
  const [numbers1, numbers2, numbers3] = await Promise.all(
    [1, 2, 3].map(async (n) => valuesOf(await read(`${BSBM}productPropertyNumeric${n}`))),
  );
  const features = groupsOf(await read(`${BSBM}productFeature`));
  const type = groupsOf((await read(RDF_TYPE)).filter(([, object]) => types.has(object.value)));
  const products = sorted(features.keys()).filter((product) => type.has(product));
  const count = new Map<string, number>();
  for (const one of [...type.values()].flat()) count.set(one, (count.get(one) ?? 0) + 1);
  return products.map((product) => ({
    iri: product,
    type: type.get(product)![0]!,
    narrowType: type.get(product)!.reduce((a, b) => (count.get(b)! < count.get(a)! ? b : a)),
    features: features.get(product)!,
    numeric1: Number(numbers1!.get(product)),
    numeric2: Number(numbers2!.get(product)),
    numeric3: Number(numbers3!.get(product)),
  }));
}

/** The offers that are still open. */
async function readOffers(read: ReadPairs): Promise<Offer[]> {
  const country = valuesOf(await read(`${BSBM}country`));
  const vendor = valuesOf(await read(`${BSBM}vendor`));
  const days = valuesOf(await read(`${BSBM}deliveryDays`));
  const validTo = valuesOf(await read(`${BSBM}validTo`));
  const product = valuesOf(await read(`${BSBM}product`));
  const open = sorted(product.keys()).filter((offer) => validTo.get(offer)! > TODAY);
  return open.map((offer) => ({
    iri: offer,
    product: product.get(offer)!,
    country: country.get(vendor.get(offer)!)!,
    days: Number(days.get(offer)),
  }));
}

const node = (value: string): string => `<${value}>`;
const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort();
const valuesOf = (pairs: Pairs): Map<string, string> => new Map(pairs.map(([s, o]) => [s.value, o.value]));

function groupsOf(pairs: Pairs): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [subject, object] of pairs) {
    const group = groups.get(subject.value);
    if (group === undefined) groups.set(subject.value, [object.value]);
    else group.push(object.value);
  }
  for (const group of groups.values()) group.sort();
  return groups;
}
