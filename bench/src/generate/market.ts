/** Vendors and their offers, reviewers and their reviews. */
import type * as RDF from '@rdfjs/types';
import type { EntityWriter } from './entities.js';
import {
  offerNode,
  productNode,
  reviewerNode,
  reviewerOf,
  reviewNode,
  siteNode,
  siteOf,
  vendorNode,
  vendorOf,
} from './entities.js';
import {
  bsbm,
  comment,
  COUNTRIES,
  date,
  dateOf,
  dateTimeOf,
  day,
  homepage,
  integerOf,
  label,
  LANGUAGES,
  literal,
  mbox_sha1sum,
  name,
  namedNode,
  Person,
  publisher,
  ratings,
  RDF_TYPE,
  Review,
  reviewer,
  reviewText,
  title,
} from './vocabulary.js';
import { DICTIONARY, text } from './words.js';

const RATING_SHARE = 0.7;
const CENTS = 1_000_000;
/** Difference between consecutive prices of an offer, in cents. */
const PRICE_STEP = 13_731;

export function describeVendor(out: EntityWriter, index: number): void {
  const { random } = out;
  out.begin('vendor', index, vendorNode(index));
  out.add(RDF_TYPE, bsbm.Vendor);
  out.add(label, literal(text(random, 1, 3)));
  out.add(comment, literal(text(random, 20, 50)));
  out.add(homepage, namedNode(`http://www.vendor${index + 1}.com/`));
  out.add(bsbm.country, random.pick(COUNTRIES));
  out.add(publisher, vendorNode(index));
  out.add(date, dateOf(random.between(day('2008-03-20'), day('2008-06-20'))));
}

export function describeOffer(out: EntityWriter, index: number): void {
  const { random, shape } = out;
  const node = offerNode(index);
  out.begin('offer', index, node);
  const price = priceOf(out, 0);
  const from = random.between(day('2008-03-20'), day('2008-06-20'));
  out.add(RDF_TYPE, bsbm.Offer);
  out.add(bsbm.product, productNode(random.below(shape.products)));
  out.add(bsbm.vendor, vendorNode(vendorOf(index)));
  out.add(bsbm.price, price);
  out.add(bsbm.validFrom, dateTimeOf(from));
  out.add(bsbm.validTo, dateTimeOf(from + random.between(14, 90)));
  // Small numbers of days are more frequent than large ones.
  out.add(bsbm.deliveryDays, integerOf(Math.min(random.between(1, 10), random.between(1, 10))));
  out.add(bsbm.offerWebpage, namedNode(`${node.value}/`));
  out.add(publisher, vendorNode(vendorOf(index)));
  out.add(date, dateOf(from + random.below(14)));
}

/** The price of the present offer, which changes with every version. Call it first after the offer was begun. */
export function priceOf({ random }: EntityWriter, version: number): RDF.Literal {
  const cents = (random.below(CENTS) + version * PRICE_STEP) % CENTS;
  return literal(((cents + 500) / 100).toFixed(2), bsbm.USD);
}

export function describeReviewer(out: EntityWriter, index: number): void {
  const { random } = out;
  out.begin('reviewer', index, reviewerNode(index));
  out.add(RDF_TYPE, Person);
  out.add(name, literal(`${capital(random.pick(DICTIONARY))}-${capital(random.pick(DICTIONARY))}`));
  out.add(mbox_sha1sum, literal(Array.from({ length: 40 }, () => random.below(16).toString(16)).join('')));
  out.add(bsbm.country, random.pick(COUNTRIES));
  out.add(publisher, siteNode(siteOf(index)));
  out.add(date, dateOf(random.between(day('2008-06-20'), day('2008-09-20'))));
}

export function describeReview(out: EntityWriter, index: number): void {
  const { random, shape } = out;
  out.begin('review', index, reviewNode(index));
  out.add(RDF_TYPE, Review);
  out.add(bsbm.reviewFor, productNode(random.below(shape.products)));
  out.add(reviewer, reviewerNode(reviewerOf(index)));
  const written = random.between(day('2007-01-01'), day('2008-06-20'));
  out.add(bsbm.reviewDate, dateTimeOf(written));
  out.add(title, literal(text(random, 4, 15)));
  out.add(reviewText, literal(text(random, 50, 200), random.pick(LANGUAGES)));
  for (const rating of ratings) {
    if (random.chance(RATING_SHARE)) out.add(rating, integerOf(random.between(1, 10)));
  }
  out.add(publisher, siteNode(siteOf(reviewerOf(index))));
  out.add(date, dateOf(written + random.below(90)));
}

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);
