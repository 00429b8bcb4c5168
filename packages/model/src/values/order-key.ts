/**
 * The keys of literals that have an order: numbers, dates and times. A key is a double that is not greater than that of a greater value.
 * Equal keys may belong to different values, and a comparison near a key must look at the values: SPARQL rounds numbers to floats, and
 * compares times without a zone by rules of their own. The key of a time is in milliseconds since 1970.
 */

/** Keys of one family are compared with one another. A time zone makes a family of its own. */
export const Family = {
  numbers: 0,
  zonedDateTimes: 1,
  localDateTimes: 2,
  zonedDates: 3,
  localDates: 4,
  /** Literals of these datatypes in other forms than the usual ones, also wrong ones. */
  others: 5,
} as const;
/** Also for terms that have no order. */
export type FamilyNumber = -1 | 0 | 1 | 2 | 3 | 4 | 5;

const XSD = new TextEncoder().encode('"^^<http://www.w3.org/2001/XMLSchema#');
const QUOTE = 0x22;
const END = 0x3e;
const DAY_MS = 86_400_000;

/** Numbers: whether a form with a fraction, and one with an exponent, is usual, and the least and greatest value that needs no other look. */
interface NumberKind {
  readonly fraction: boolean;
  readonly exponent: boolean;
  readonly least: number;
  readonly greatest: number;
  readonly single?: true;
}

const within = (least: number, greatest: number): NumberKind => ({ fraction: false, exponent: false, least, greatest });
const INT = 2 ** 31 - 1;
const NUMBERS: ReadonlyMap<string, NumberKind> = new Map<string, NumberKind>([
  ['integer', within(-Infinity, Infinity)],
  ['decimal', { ...within(-Infinity, Infinity), fraction: true }],
  ['double', { ...within(-Number.MAX_VALUE, Number.MAX_VALUE), fraction: true, exponent: true }],
  ['float', { ...within(-3e38, 3e38), fraction: true, exponent: true, single: true }],
  ['int', within(-INT, INT)],
  ['long', within(-(2 ** 53), 2 ** 53)],
  ['short', within(-32_768, 32_767)],
  ['byte', within(-128, 127)],
  ['nonNegativeInteger', within(0, Infinity)],
  ['positiveInteger', within(1, Infinity)],
  ['nonPositiveInteger', within(-Infinity, 0)],
  ['negativeInteger', within(-Infinity, -1)],
  ['unsignedLong', within(0, 2 ** 53)],
  ['unsignedInt', within(0, 2 ** 32 - 1)],
  ['unsignedShort', within(0, 65_535)],
  ['unsignedByte', within(0, 255)],
]);

/** Longer texts are looked at by whoever asks. */
const MOST_CHARACTERS = 40;

/** The key of the term that {@link familyOf} has seen last. */
export let orderKey = 0;

/** The family of a term, as the dictionary has its text; -1 for a term without an order. Sets {@link orderKey}. */
export function familyOf(term: Uint8Array): FamilyNumber {
  if (term[0] !== QUOTE || term[term.length - 1] !== END) return -1;
  const close = term.lastIndexOf(QUOTE);
  if (!hasXsd(term, close)) return -1;
  const name = asText(term, close + XSD.length, term.length - 1);
  orderKey = 0;
  const isShort = close <= MOST_CHARACTERS;
  if (name === 'dateTime' || name === 'dateTimeStamp')
    return isShort ? dateTime(term, close, name === 'dateTimeStamp') : Family.others;
  if (name === 'date') return isShort ? date(term, close) : Family.others;
  const kind = NUMBERS.get(name);
  if (kind === undefined) return -1;
  return isShort && isNumber(term, close, kind) ? number(term, close, kind) : Family.others;
}

function hasXsd(term: Uint8Array, close: number): boolean {
  if (term.length - close <= XSD.length) return false;
  for (let i = XSD.length - 1; i > 0; i--) if (term[close + i] !== XSD[i]) return false;
  return true;
}

function asText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** Digits, with a fraction and an exponent where the kind has them. */
function isNumber(term: Uint8Array, close: number, { fraction, exponent }: NumberKind): boolean {
  let at = term[1] === 0x2d || term[1] === 0x2b ? 2 : 1;
  const digits = (): boolean => {
    const from = at;
    while (isDigit(term[at]!)) at++;
    return at > from;
  };
  if (!digits()) return false;
  if (fraction && term[at] === 0x2e) {
    at++;
    if (!digits()) return false;
  }
  if (exponent && (term[at] === 0x65 || term[at] === 0x45)) {
    at++;
    if (term[at] === 0x2d || term[at] === 0x2b) at++;
    if (!digits()) return false;
  }
  return at === close;
}

function number(term: Uint8Array, close: number, { least, greatest, single }: NumberKind): FamilyNumber {
  const value = Number(asText(term, 1, close));
  orderKey = (single === true ? Math.fround(value) : value) + 0;
  return value >= least && value <= greatest && Number.isFinite(value) ? Family.numbers : Family.others;
}

/** The number of two digits; NaN if there are no two. */
function two(term: Uint8Array, at: number): number {
  const [tens, ones] = [term[at]!, term[at + 1]!];
  return isDigit(tens) && isDigit(ones) ? (tens - 0x30) * 10 + ones - 0x30 : Number.NaN;
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days from 1970 to `YYYY-MM-DD`; NaN for another form, and for a day that there is not. */
function days(term: Uint8Array): number {
  if (term[5] !== 0x2d || term[8] !== 0x2d) return Number.NaN;
  const year = two(term, 1) * 100 + two(term, 3);
  const month = two(term, 6);
  const day = two(term, 9);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const length = month === 2 && isLeap ? 29 : (MONTH_DAYS[month - 1] ?? 0);
  if (!(year >= 0 && day >= 1 && day <= length)) return Number.NaN;
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const ofEra = shifted - era * 400;
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
}

/** Milliseconds by which the zone from `at` on is ahead of UTC; NaN for what is no zone, `undefined` where there is nothing. */
function zone(term: Uint8Array, at: number, close: number): number | undefined {
  if (at === close) return undefined;
  if (term[at] === 0x5a) return at + 1 === close ? 0 : Number.NaN;
  if (at + 6 !== close || term[at + 3] !== 0x3a || (term[at] !== 0x2b && term[at] !== 0x2d)) return Number.NaN;
  const minutes = two(term, at + 1) * 60 + two(term, at + 4);
  if (!(two(term, at + 4) < 60 && minutes <= 14 * 60)) return Number.NaN;
  return (term[at] === 0x2d ? -minutes : minutes) * 60_000;
}

function date(term: Uint8Array, close: number): FamilyNumber {
  const ahead = zone(term, 11, close);
  const key = days(term) * DAY_MS - (ahead ?? 0);
  if (close < 11 || Number.isNaN(key)) return Family.others;
  orderKey = key;
  return ahead === undefined ? Family.localDates : Family.zonedDates;
}

function dateTime(term: Uint8Array, close: number, isStamp: boolean): FamilyNumber {
  if (close < 20 || term[11] !== 0x54 || term[14] !== 0x3a || term[17] !== 0x3a) return Family.others;
  const [hour, minute, second] = [two(term, 12), two(term, 15), two(term, 18)];
  if (!(hour < 24 && minute < 60 && second < 60)) return Family.others;
  let at = 20;
  let part = 0;
  if (term[at] === 0x2e) {
    const from = ++at;
    let digits = 0;
    // What is left out changes no order.
    for (; isDigit(term[at]!); at++) if (at - from < 9) digits = digits * 10 + term[at]! - 0x30;
    if (at === from) return Family.others;
    part = (digits * 1000) / 10 ** Math.min(at - from, 9);
  }
  const ahead = zone(term, at, close);
  const key = days(term) * DAY_MS + (hour * 3600 + minute * 60 + second) * 1000 - (ahead ?? 0) + part;
  if (Number.isNaN(key) || (isStamp && ahead === undefined)) return Family.others;
  orderKey = key;
  return ahead === undefined ? Family.localDateTimes : Family.zonedDateTimes;
}

const double = new DataView(new ArrayBuffer(8));

/** A double as two words whose order is that of the number. */
export function highOf(key: number): number {
  double.setFloat64(0, key);
  const high = double.getUint32(0);
  return key < 0 ? ~high >>> 0 : (high | 0x8000_0000) >>> 0;
}

/** The second word of the key of which {@link highOf} has given the first one. */
export function lowOf(key: number): number {
  const low = double.getUint32(4);
  return key < 0 ? ~low >>> 0 : low;
}

/** The key of two words. */
export function keyOf(high: number, low: number): number {
  const isPositive = high >= 0x8000_0000;
  double.setUint32(0, isPositive ? high & 0x7fff_ffff : ~high);
  double.setUint32(4, isPositive ? low : ~low);
  return double.getFloat64(0);
}
