/** `+`, `-`, `*`, `/` and the signs: on numbers, and as XPath has them on dates, times and durations. */
import { add, divide, multiply, negate, subtract } from '../values/arithmetic.js';
import { toNumber } from '../values/compare.js';
import { addDecimals, divideDecimals, multiplyDecimals, negateInteger, numberToDecimal } from '../values/decimal.js';
import type { Binary, FunctionTable, Unary } from './function-table.js';
import { addDuration, instantOf } from '../values/temporal.js';
import {
  DurationValue,
  ERROR,
  IntegerValue,
  isNumeric,
  isTemporal,
  type DecimalValue,
  type DurationType,
  type ErrorValue,
  type NumericValue,
  type TemporalValue,
  type Value,
} from '../values/value-types.js';

const plus: Binary = (left, right) => {
  if (isNumeric(left)) return isNumeric(right) ? add(left, right) : ERROR;
  if (isTemporal(left)) return right.kind === 'duration' ? addDuration(left, right, 1) : ERROR;
  if (left.kind !== 'duration') return ERROR;
  if (isTemporal(right)) return addDuration(right, left, 1);
  return right.kind === 'duration' ? addDurations(left, right, 1) : ERROR;
};

const minus: Binary = (left, right) => {
  if (isNumeric(left)) return isNumeric(right) ? subtract(left, right) : ERROR;
  if (right.kind === 'duration') {
    if (isTemporal(left)) return addDuration(left, right, -1);
    return left.kind === 'duration' ? addDurations(left, right, -1) : ERROR;
  }
  return isTemporal(left) && isTemporal(right) ? elapsed(left, right) : ERROR;
};

const times: Binary = (left, right) => {
  if (isNumeric(left)) {
    if (isNumeric(right)) return multiply(left, right);
    return right.kind === 'duration' ? scaleDuration(right, left, 1) : ERROR;
  }
  return left.kind === 'duration' && isNumeric(right) ? scaleDuration(left, right, 1) : ERROR;
};

const over: Binary = (left, right) => {
  if (isNumeric(left)) return isNumeric(right) ? divide(left, right) : ERROR;
  if (left.kind !== 'duration') return ERROR;
  if (isNumeric(right)) return scaleDuration(left, right, -1);
  return right.kind === 'duration' ? divideDurations(left, right) : ERROR;
};

const durationOf = (type: DurationType, months: number, seconds: DecimalValue | ErrorValue): Value =>
  seconds.kind === 'error' || !Number.isSafeInteger(months) ? ERROR : new DurationValue(type, months + 0, seconds);

// Of the two derived types only, which never mix signs.
function addDurations(left: DurationValue, right: DurationValue, sign: 1 | -1): Value {
  if (left.type !== right.type || left.type === 'duration') return ERROR;
  const { mantissa, scale } = right.seconds;
  const seconds = addDecimals(
    left.seconds.mantissa,
    left.seconds.scale,
    sign === 1 ? mantissa : negateInteger(mantissa),
    scale,
  );
  return durationOf(left.type, left.months + sign * right.months, seconds);
}

/** The time between two dateTimes, dates or times; one without time zone is taken to be in UTC. */
function elapsed(left: TemporalValue, right: TemporalValue): Value {
  const { kind } = left;
  if (kind !== right.kind || (kind !== 'dateTime' && kind !== 'date' && kind !== 'time')) return ERROR;
  const from = instantOf(right);
  const to = instantOf(left);
  return durationOf('dayTimeDuration', 0, addDecimals(to.mantissa, to.scale, negateInteger(from.mantissa), from.scale));
}

function factorOf(value: NumericValue): Pick<DecimalValue, 'mantissa' | 'scale'> | undefined {
  if (value.kind === 'decimal') return value;
  if (value.kind === 'integer') return { mantissa: value.value, scale: 0 };
  return Number.isFinite(value.value) ? numberToDecimal(value.value) : undefined;
}

function scaleDuration(duration: DurationValue, number: NumericValue, exponent: 1 | -1): Value {
  const factor = factorOf(number);
  if (factor === undefined || duration.type === 'duration') return ERROR;
  const apply = exponent === 1 ? multiplyDecimals : divideDecimals;
  const { mantissa, scale } = duration.seconds;
  const months = Math.round(exponent === 1 ? duration.months * toNumber(number) : duration.months / toNumber(number));
  return durationOf(duration.type, months, apply(mantissa, scale, factor.mantissa, factor.scale));
}

function divideDurations(left: DurationValue, right: DurationValue): Value {
  if (left.type !== right.type || left.type === 'duration') return ERROR;
  if (left.type === 'yearMonthDuration') return divideDecimals(left.months, 0, right.months, 0);
  return divideDecimals(left.seconds.mantissa, left.seconds.scale, right.seconds.mantissa, right.seconds.scale);
}

const unaryMinus: Unary = (value) => (isNumeric(value) ? negate(value) : ERROR);
const unaryPlus: Unary = (value) => {
  if (!isNumeric(value)) return ERROR;
  return value.kind === 'integer' ? new IntegerValue(value.value) : value;
};

export const arithmeticFunctions: FunctionTable = {
  unary: { uminus: unaryMinus, uplus: unaryPlus },
  binary: { '+': plus, '-': minus, '*': times, '/': over },
};
