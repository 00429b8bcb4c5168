/** The constructor functions of XSD, such as `xsd:integer(?x)` (XPath Functions 3.1, section 19). */
import { XSD } from '@quadrille/model';
import { dateFromDays, daysFromDate, SECONDS_PER_DAY, splitSeconds } from '../values/calendar.js';
import { toNumber } from '../values/compare.js';
import { addDecimals, demote, formatDecimal, numberToDecimal, truncateDecimal } from '../values/decimal.js';
import type { Unary } from './function-table.js';
import { castDoubleToText } from '../values/number-text.js';
import { INTEGER_RANGES, LITERAL_PARSERS, toDerivedInteger } from '../values/parse-literal.js';
import { formatTemporal } from '../values/temporal.js';
import { formatDuration } from '../values/duration.js';
import {
  datatypeOf,
  DecimalValue,
  DoubleValue,
  DurationValue,
  DURATION_TYPES,
  ERROR,
  FloatValue,
  IntegerValue,
  isNumeric,
  isTemporal,
  StringValue,
  TEMPORAL_KINDS,
  TemporalValue,
  textOf,
  toBoolean,
  type DurationType,
  type Integer,
  type TemporalKind,
  type Value,
} from '../values/value.js';

const isSpace = (char: string): boolean => char === ' ' || char === '\n' || char === '\t' || char === '\r';

function trimSpaces(text: string): string {
  if (!isSpace(text.charAt(0)) && !isSpace(text.charAt(text.length - 1))) return text;
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charAt(start))) start++;
  while (end > start && isSpace(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** A plain string is read as a lexical form of the type, without the white space around it. */
function castable(type: string, convert: Unary): Unary {
  const parse = LITERAL_PARSERS.get(XSD + type);
  return (value) => (value.kind === 'string' ? (parse?.(trimSpaces(value.value)) ?? ERROR) : convert(value));
}

function integerOf(value: Value): Integer | undefined {
  switch (value.kind) {
    case 'boolean':
      return Number(value.value);
    case 'integer':
      return value.value;
    case 'decimal':
      return truncateDecimal(value.mantissa, value.scale);
    case 'float':
    case 'double':
      return Number.isFinite(value.value) ? demote(BigInt(Math.trunc(value.value))) : undefined;
    default:
      return undefined;
  }
}

const toInteger: Unary = (value) => {
  const integer = integerOf(value);
  return integer === undefined ? ERROR : new IntegerValue(integer);
};

const toDerived =
  (name: string): Unary =>
  (value) => {
    const integer = integerOf(value);
    return (integer !== undefined && toDerivedInteger(name, integer)) || ERROR;
  };

const toDecimal: Unary = (value) => {
  switch (value.kind) {
    case 'boolean':
      return new DecimalValue(Number(value.value), 0);
    case 'integer':
      return new DecimalValue(value.value, 0);
    case 'decimal':
      return value;
    case 'float':
    case 'double':
      return Number.isFinite(value.value) ? numberToDecimal(value.value) : ERROR;
    default:
      return ERROR;
  }
};

const toDouble: Unary = (value) => {
  if (value.kind === 'boolean') return new DoubleValue(Number(value.value));
  return isNumeric(value) ? new DoubleValue(toNumber(value)) : ERROR;
};

const toFloat: Unary = (value) => {
  if (value.kind === 'boolean') return new FloatValue(Number(value.value));
  return isNumeric(value) ? new FloatValue(toNumber(value, true)) : ERROR;
};

const toBooleanCast: Unary = (value) => {
  if (value.kind === 'boolean') return toBoolean(value.value);
  if (!isNumeric(value)) return ERROR;
  const number = toNumber(value);
  return toBoolean(value.kind === 'decimal' ? value.mantissa !== 0 : number !== 0 && !Number.isNaN(number));
};

const toText: Unary = (value) => {
  switch (value.kind) {
    case 'boolean':
    case 'integer':
      return new StringValue(String(value.value));
    case 'decimal':
      return new StringValue(formatDecimal(value.mantissa, value.scale));
    case 'float':
    case 'double':
      return new StringValue(castDoubleToText(value.value, value.kind === 'float'));
    case 'duration':
      return new StringValue(formatDuration(value));
    default: {
      if (isTemporal(value)) return new StringValue(formatTemporal(value));
      const text = textOf(value);
      return text === undefined ? ERROR : new StringValue(text);
    }
  }
};

/** The parts of a date that a type has; the others take the value that all of its values share. */
const DATE_PARTS: Readonly<Partial<Record<TemporalKind, readonly [year: boolean, month: boolean, day: boolean]>>> = {
  date: [true, true, true],
  gYear: [true, false, false],
  gYearMonth: [true, true, false],
  gMonth: [false, true, false],
  gDay: [false, false, true],
  gMonthDay: [false, true, true],
};

/** An xsd:dateTimeStamp is a value of kind dateTime that its term calls by another type. */
const ofType = (value: TemporalValue, kind: TemporalKind): TemporalValue =>
  datatypeOf(value) === XSD + kind ? value : new TemporalValue(kind, value.seconds, value.zone);

const toTemporal =
  (kind: TemporalKind): Unary =>
  (value) => {
    if (value.kind === kind) return ofType(value, kind);
    if (kind === 'dateTime') return value.kind === 'date' ? new TemporalValue(kind, value.seconds, value.zone) : ERROR;
    if (value.kind !== 'dateTime' && (value.kind !== 'date' || kind === 'time')) return ERROR;
    const { days } = splitSeconds(value.seconds);
    if (kind === 'time') {
      const { mantissa, scale } = value.seconds;
      const ofDay = addDecimals(mantissa, scale, days * -SECONDS_PER_DAY, 0);
      return ofDay.kind === 'error' ? ERROR : new TemporalValue(kind, ofDay, value.zone);
    }
    const [withYear, withMonth, withDay] = DATE_PARTS[kind] ?? [true, true, true];
    const { year, month, day } = dateFromDays(days);
    const shared = daysFromDate(withYear ? year : 1972, withMonth ? month : 1, withDay ? day : 1);
    return new TemporalValue(kind, new DecimalValue(shared * SECONDS_PER_DAY, 0), value.zone);
  };

const toDuration =
  (type: DurationType): Unary =>
  (value) => {
    if (value.kind !== 'duration') return ERROR;
    if (value.type === type) return value;
    const months = type === 'dayTimeDuration' ? 0 : value.months;
    return new DurationValue(type, months, type === 'yearMonthDuration' ? new DecimalValue(0, 0) : value.seconds);
  };

const byName: readonly (readonly [string, Unary])[] = [
  ['boolean', toBooleanCast],
  ['integer', toInteger],
  ['decimal', toDecimal],
  ['double', toDouble],
  ['float', toFloat],
  ['string', toText],
  ...TEMPORAL_KINDS.map((kind) => [kind, toTemporal(kind)] as const),
  ...DURATION_TYPES.map((type) => [type, toDuration(type)] as const),
  ...[...INTEGER_RANGES.keys()].map((name) => [name, toDerived(name)] as const),
];

/** By the IRI of the type. */
export const castFunctions: ReadonlyMap<string, Unary> = new Map(
  byName.map(([name, convert]) => [XSD + name, name === 'string' ? convert : castable(name, convert)]),
);
