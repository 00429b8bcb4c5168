/**
 * The comparisons of SPARQL: `=` (section 17.4.1.8 of SPARQL 1.2 and the operator table), `<` and its kin, sameTerm.
 * The total order of ORDER BY stands in order.ts.
 */
import { compareDecimals, decimalToNumber } from './decimal.js';
import { sameTerm } from './same-term.js';
import { instantOf } from './temporal.js';
import {
  ERROR,
  isNumeric,
  isTemporal,
  type DecimalValue,
  type DurationValue,
  type ErrorValue,
  type LangStringValue,
  type NumericValue,
  type TemporalValue,
  type TripleValue,
  type Value,
} from './value-types.js';

/** The outcome of a comparison: which is less, or neither though they are comparable (NaN), or a type error. */
export type Comparison = -1 | 0 | 1 | 'unordered' | ErrorValue;

const compareNumbers = (left: number | bigint, right: number | bigint): Comparison =>
  left < right ? -1 : left > right ? 1 : left === right ? 0 : 'unordered';

const SURROGATE = /[\ud800-\udfff]/;

/** Unicode code points, which UTF-16 does not sort by where surrogates meet U+E000 and above. */
export function compareText(left: string, right: string): -1 | 0 | 1 {
  if (left === right) return 0;
  // V8 compares texts, and sees that most have no surrogate, many times as fast as a loop over their characters does.
  if (!SURROGATE.test(left) && !SURROGATE.test(right)) return left < right ? -1 : 1;
  return compareCodePoints(left, right);
}

function compareCodePoints(left: string, right: string): -1 | 1 {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    const aHigh = a >= 0xd800 && a <= 0xdfff;
    if (aHigh !== (b >= 0xd800 && b <= 0xdfff) && a >= 0xd800 && b >= 0xd800) return aHigh ? 1 : -1;
    return a < b ? -1 : 1;
  }
  return left.length < right.length ? -1 : 1;
}

/** The nearest double; single precision where `single` (promotion to xsd:float). */
export function toNumber(value: NumericValue, single = false): number {
  if (value.kind === 'double' && !single) return value.value;
  const number = value.kind === 'decimal' ? decimalToNumber(value.mantissa, value.scale) : Number(value.value);
  return single ? Math.fround(number) : number;
}

/** After the numeric type promotion of XPath: double, else float, else exact. */
export function compareNumeric(left: NumericValue, right: NumericValue): Comparison {
  if (left.kind === 'integer' && right.kind === 'integer') return compareNumbers(left.value, right.value);
  if (left.kind === 'double' || right.kind === 'double') return compareNumbers(toNumber(left), toNumber(right));
  if (left.kind === 'float' || right.kind === 'float') {
    return compareNumbers(toNumber(left, true), toNumber(right, true));
  }
  const leftScale = left.kind === 'decimal' ? left.scale : 0;
  const rightScale = right.kind === 'decimal' ? right.scale : 0;
  const a = left.kind === 'decimal' ? left.mantissa : left.value;
  const b = right.kind === 'decimal' ? right.mantissa : right.value;
  return compareDecimals(a, leftScale, b, rightScale) as -1 | 0 | 1;
}

const compareExact = (left: DecimalValue, right: DecimalValue): -1 | 0 | 1 =>
  compareDecimals(left.mantissa, left.scale, right.mantissa, right.scale) as -1 | 0 | 1;

const FOURTEEN_HOURS = 14 * 3600;

/**
 * Instants of the same type. With a time zone on one side only, the other may be up to 14 hours away from UTC in both
 * directions: values nearer than that cannot be compared (XSD 1.1, section 3.3.7.4).
 */
export function compareTemporal(left: TemporalValue, right: TemporalValue): -1 | 0 | 1 | ErrorValue {
  const a = instantOf(left);
  const b = instantOf(right);
  if ((left.zone === undefined) === (right.zone === undefined)) return compareExact(a, b);
  const distance = decimalToNumber(a.mantissa, a.scale) - decimalToNumber(b.mantissa, b.scale);
  if (Math.abs(distance) <= FOURTEEN_HOURS) return ERROR;
  return distance < 0 ? -1 : 1;
}

function compareDurations(left: DurationValue, right: DurationValue): Comparison {
  if (left.type !== right.type || left.type === 'duration') return ERROR;
  if (left.type === 'yearMonthDuration') return compareNumbers(left.months, right.months);
  return compareExact(left.seconds, right.seconds);
}

/** What `<`, `>`, `<=` and `>=` decide by. */
export function compareValues(left: Value, right: Value): Comparison {
  if (isNumeric(left)) return isNumeric(right) ? compareNumeric(left, right) : ERROR;
  if (left.kind === 'string') return right.kind === 'string' ? compareText(left.value, right.value) : ERROR;
  if (left.kind !== right.kind) return ERROR;
  if (left.kind === 'boolean') return compareNumbers(Number(left.value), Number((right as typeof left).value));
  if (left.kind === 'duration') return compareDurations(left, right as DurationValue);
  if (isTemporal(left)) return compareTemporal(left, right as TemporalValue);
  return ERROR;
}

/** SPARQL `<`. */
export function lessThan(left: Value, right: Value): boolean | ErrorValue {
  const order = compareValues(left, right);
  return order === ERROR ? ERROR : order === -1;
}

/** SPARQL `=`. */
export function equals(left: Value, right: Value): boolean | ErrorValue {
  if (isNumeric(left) && isNumeric(right)) return compareNumeric(left, right) === 0;
  switch (left.kind) {
    case 'error':
      return ERROR;
    case 'iri':
    case 'blankNode':
      return right.kind === 'error' ? ERROR : left.kind === right.kind && left.value === right.value;
    case 'triple':
      return right.kind === 'triple' ? equalTriples(left, right) : right.kind === 'error' ? ERROR : false;
    default:
      return equalLiterals(left, right);
  }
}

function equalLiterals(left: Value, right: Value): boolean | ErrorValue {
  if (right.kind === 'error') return ERROR;
  if (right.kind === 'iri' || right.kind === 'blankNode' || right.kind === 'triple') return false;
  if (left.kind === 'langString') return right.kind === 'langString' && equalLangStrings(left, right);
  if (right.kind === 'langString') return false;
  // Of two literals where one has no known value only those can be told to be equal that are the same term.
  if (left.kind === 'other' || right.kind === 'other') return sameTerm(left, right) || ERROR;
  if (left.kind !== right.kind) return false;
  if (left.kind === 'string' || left.kind === 'boolean') return left.value === (right as typeof left).value;
  if (left.kind === 'duration') return equalDurations(left, right as DurationValue);
  const order = compareTemporal(left as TemporalValue, right as TemporalValue);
  return order === ERROR ? ERROR : order === 0;
}

const equalLangStrings = (left: LangStringValue, right: LangStringValue): boolean =>
  left.value === right.value &&
  left.direction === right.direction &&
  left.language.toLowerCase() === right.language.toLowerCase();

const equalDurations = (left: DurationValue, right: DurationValue): boolean =>
  left.months === right.months && compareExact(left.seconds, right.seconds) === 0;

function equalTriples(left: TripleValue, right: TripleValue): boolean | ErrorValue {
  const parts = [
    equals(left.subject, right.subject),
    equals(left.predicate, right.predicate),
    equals(left.object, right.object),
  ];
  if (parts.includes(false)) return false;
  return parts.includes(ERROR) ? ERROR : true;
}
