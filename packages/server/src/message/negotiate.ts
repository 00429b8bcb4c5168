/** Content negotiation by Accept (RFC 9110, section 12.5.1). */
import { RecentMap } from '@quadrille/model';
import { badRequest, HttpError } from '../http/index.js';
import { elementsOf, type ListElement, qualityOf } from './header-list.js';

interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const RANGE = new RegExp(`^(${TOKEN})/(${TOKEN})$`);

/**
 * The offer that the client prefers. The first offer if it has no preference.
 * @throws HttpError 400 where no range can be read, 406 where no offer is acceptable.
 */
export function negotiate(accept: string | null, offers: readonly string[]): string {
  if (accept === null || accept.length > LONGEST_KNOWN) return bestOffer(accept, offers);
  let known = choices.get(offers);
  if (known === undefined) choices.set(offers, (known = new Map()));
  let choice = known.get(accept);
  if (choice === undefined) {
    choice = bestOffer(accept, offers);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(accept, choice);
  }
  return choice;
}

/** Earlier choices. A client sends the same Accept with every request, and the lists of offers are constants. */
const choices = new WeakMap<readonly string[], Map<string, string>>();
const MOST_KNOWN = 64;
const LONGEST_KNOWN = 256;

function bestOffer(accept: string | null, offers: readonly string[]): string {
  const first = offers[0];
  if (first === undefined) throw new HttpError('NOT_ACCEPTABLE', 'this resource has no representation');
  const ranges = parseAccept(accept ?? '');
  if (ranges.length === 0) return first;
  let best: { offer: string; quality: number; precision: number } | undefined;
  for (const offer of offers) {
    const match = bestRange(ranges, offer);
    if (match === undefined || match.quality === 0) continue;
    const better =
      best === undefined ||
      match.quality > best.quality ||
      (match.quality === best.quality && match.precision > best.precision);
    if (better) best = { offer, ...match };
  }
  if (best === undefined) {
    throw new HttpError('NOT_ACCEPTABLE', `none of ${accept} can be answered here; there is ${offers.join(', ')}`);
  }
  return best.offer;
}

/**
 * The types that Accept names without wildcards, by preference.
 * @throws HttpError 400 where no range can be read
 */
export function namedTypes(accept: string | null): readonly string[] {
  if (accept === null) return [];
  let types = named.get(accept);
  if (types === undefined) {
    types = parseAccept(accept)
      .filter(({ type, subtype, quality }) => type !== '*' && subtype !== '*' && quality > 0)
      .toSorted((a, b) => b.quality - a.quality)
      .map(({ type, subtype }) => `${type}/${subtype}`);
    if (accept.length <= LONGEST_KNOWN) named.set(accept, types);
  }
  return types;
}

/** By the field. */
const named = new RecentMap<string, readonly string[]>(64);

/** Ranges that cannot be read are left out, as some clients send `*; q=.2` beside others. */
function parseAccept(accept: string): readonly Range[] {
  const elements = elementsOf(accept);
  const ranges = elements.map(rangeOf).filter((range) => range !== undefined);
  if (ranges.length > 0 || elements.length === 0) return ranges;
  throw badRequest(`Accept has no media range: ${accept.slice(0, 100)}`);
}

function rangeOf(element: ListElement): Range | undefined {
  const match = RANGE.exec(element.value === '*' ? '*/*' : element.value);
  const quality = qualityOf(element);
  if (match === null || quality === undefined) return undefined;
  return { type: (match[1] ?? '').toLowerCase(), subtype: (match[2] ?? '').toLowerCase(), quality };
}

/** What `application/xml` and `text/xml` mean where no offer has that name. */
const RESULTS_IN_XML = 'application/sparql-results+xml';

/** The most precise range that covers an offer decides (so `text/*;q=0` does not refuse an exact `text/turtle`). */
function bestRange(ranges: readonly Range[], offer: string): { quality: number; precision: number } | undefined {
  const [type, subtype] = offer.split('/');
  let best: { quality: number; precision: number } | undefined;
  for (const range of ranges) {
    let precision: number;
    if (range.type === type && range.subtype === subtype) precision = 2;
    else if (range.type === type && range.subtype === '*') precision = 1;
    else if (range.subtype === 'xml' && offer === RESULTS_IN_XML) precision = 1;
    else if (range.type === '*' && range.subtype === '*') precision = 0;
    else continue;
    if (best === undefined || precision > best.precision) best = { quality: range.quality, precision };
  }
  return best;
}
