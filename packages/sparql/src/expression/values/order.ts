/** The total order of ORDER BY, MIN and MAX (SPARQL 1.2, section 15.1), made definite where the specification leaves it open. */
import { RDF_DIR_LANG_STRING, RDF_LANG_STRING, XSD, XSD_STRING } from '@quadrille/model';
import { compareNumeric, compareText, toNumber } from './compare.js';
import { compareDecimals, numberToDecimal } from './decimal.js';
import { instantOf } from './temporal.js';
import {
  isNumeric,
  isTemporal,
  type DecimalValue,
  type DurationValue,
  type Integer,
  type LangStringValue,
  type NumericValue,
  type TemporalValue,
  type Value,
} from './value-types.js';

type Known = Exclude<Value, { kind: 'error' }>;

/** Unbound and errors, blank nodes, IRIs, literals, triple terms. */
function rankOf(value: Value | undefined): number {
  switch (value?.kind) {
    case undefined:
    case 'error':
      return 0;
    case 'blankNode':
      return 1;
    case 'iri':
      return 2;
    case 'triple':
      return 4;
    default:
      return 3;
  }
}

/**
 * A total order: unbound < blank nodes < IRIs < literals < triple terms. Literals go by family (all numbers are one, all
 * durations another; otherwise the datatype, by its IRI) and within it by value; ill-formed ones after the others of their
 * datatype, by their text. 0 for equal values, whatever their terms. NaN is the least number. Text goes by code points.
 */
export function compareForOrder(left: Value | undefined, right: Value | undefined): -1 | 0 | 1 {
  if (left === right) return 0;
  if (left?.kind === 'integer' && right?.kind === 'integer') return orderIntegers(left.value, right.value);
  const rank = rankOf(left);
  const other = rankOf(right);
  if (rank !== other) return rank < other ? -1 : 1;
  return rank === 0 ? 0 : compareRanked(left as Known, right as Known);
}

function compareRanked(left: Known, right: Known): -1 | 0 | 1 {
  if (isNumeric(left) && isNumeric(right)) return orderNumbers(left, right);
  if (left.kind !== right.kind) return compareText(familyOf(left), familyOf(right)) || orderWithin(left, right);
  switch (left.kind) {
    case 'blankNode':
    case 'iri':
    case 'string':
      return compareText(left.value, (right as typeof left).value);
    case 'triple': {
      const { subject, predicate, object } = right as typeof left;
      return (
        compareForOrder(left.subject, subject) ||
        compareForOrder(left.predicate, predicate) ||
        compareForOrder(left.object, object)
      );
    }
    case 'boolean':
      return sign(Number(left.value) - Number((right as typeof left).value));
    case 'langString':
      return orderLangStrings(left, right as LangStringValue);
    case 'duration':
      return orderDurations(left, right as DurationValue);
    case 'other': {
      const { term } = right as typeof left;
      return compareText(left.term.datatype.value, term.datatype.value) || compareText(left.term.value, term.value);
    }
    default:
      return isTemporal(left) ? orderTemporal(left, right as TemporalValue) : 0;
  }
}

const sign = (difference: number): -1 | 0 | 1 => (difference < 0 ? -1 : difference > 0 ? 1 : 0);
const orderIntegers = (left: Integer, right: Integer): -1 | 0 | 1 => (left < right ? -1 : left > right ? 1 : 0);

const NUMERIC_FAMILY = `${XSD}integer`;

function familyOf(value: Known): string {
  if (isNumeric(value)) return NUMERIC_FAMILY;
  switch (value.kind) {
    case 'string':
      return XSD_STRING;
    case 'langString':
      return value.direction === undefined ? RDF_LANG_STRING : RDF_DIR_LANG_STRING;
    case 'other':
      return value.term.datatype.value;
    default:
      return XSD + value.kind;
  }
}

// Of one family and two kinds: one of them has no value, being ill-formed, and comes last.
const orderWithin = (left: Known, right: Known): -1 | 0 | 1 =>
  left.kind === 'other' ? 1 : right.kind === 'other' ? -1 : 0;

/**
 * Orders floating-point numbers as the decimals that they are written as. Promotion would not be transitive: 0.1 equals both the
 * nearest float and the nearest double, which differ.
 */
function orderNumbers(left: NumericValue, right: NumericValue): -1 | 0 | 1 {
  const exact =
    (left.kind === 'integer' || left.kind === 'decimal') === (right.kind === 'integer' || right.kind === 'decimal');
  const order = exact ? compareNumeric(left, right) : sign(toNumber(left) - toNumber(right));
  if (order === 0) return exact ? 0 : orderExactly(left, right);
  return typeof order === 'number' ? order : orderNaN(left, right);
}

function orderNaN(left: NumericValue, right: NumericValue): -1 | 0 | 1 {
  return sign(Number(Number.isNaN(toNumber(right))) - Number(Number.isNaN(toNumber(left))));
}

function orderExactly(left: NumericValue, right: NumericValue): -1 | 0 | 1 {
  const unordered = orderNaN(left, right);
  if (unordered !== 0) return unordered;
  const a = toExact(left);
  const b = toExact(right);
  // An infinity, and a number too long to be a finite double.
  if (a === undefined || b === undefined) return sign(toSign(left, a) - toSign(right, b));
  return sign(compareDecimals(a.mantissa, a.scale, b.mantissa, b.scale));
}

type Exact = Pick<DecimalValue, 'mantissa' | 'scale'>;

function toExact(value: NumericValue): Exact | undefined {
  if (value.kind === 'decimal') return value;
  if (value.kind === 'integer') return { mantissa: value.value, scale: 0 };
  return Number.isFinite(value.value) ? numberToDecimal(value.value) : undefined;
}

const toSign = (value: NumericValue, exact: Exact | undefined): number =>
  exact === undefined ? Math.sign(toNumber(value)) : 0;

// Values that differ in having a time zone are not equal, even where UTC makes them the same instant.
function orderTemporal(left: TemporalValue, right: TemporalValue): -1 | 0 | 1 {
  const a = instantOf(left);
  const b = instantOf(right);
  return (
    sign(compareDecimals(a.mantissa, a.scale, b.mantissa, b.scale)) ||
    sign(Number(left.zone !== undefined) - Number(right.zone !== undefined))
  );
}

const orderLangStrings = (left: LangStringValue, right: LangStringValue): -1 | 0 | 1 =>
  compareText(familyOf(left), familyOf(right)) ||
  compareText(left.value, right.value) ||
  compareText(left.language.toLowerCase(), right.language.toLowerCase()) ||
  compareText(left.direction ?? '', right.direction ?? '');

/** The mean length of a month in the Gregorian calendar. */
const SECONDS_PER_MONTH = 2_629_746;

function orderDurations(left: DurationValue, right: DurationValue): -1 | 0 | 1 {
  const length = (value: DurationValue): number => value.months * SECONDS_PER_MONTH + toNumber(value.seconds);
  return (
    sign(length(left) - length(right)) ||
    sign(left.months - right.months) ||
    sign(compareDecimals(left.seconds.mantissa, left.seconds.scale, right.seconds.mantissa, right.seconds.scale))
  );
}
