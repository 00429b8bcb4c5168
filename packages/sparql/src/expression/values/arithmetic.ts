/** The four operations on numbers, with the type promotion of XPath: integer, decimal, float, double. */
import { toNumber } from './compare.js';
import {
  addDecimals,
  addIntegers,
  divideDecimals,
  multiplyDecimals,
  multiplyIntegers,
  negateInteger,
} from './decimal.js';
import {
  DecimalValue,
  DoubleValue,
  FloatValue,
  IntegerValue,
  type ErrorValue,
  type Integer,
  type NumericValue,
} from './value-types.js';

type Result = NumericValue | ErrorValue;

const mantissaOf = (value: IntegerValue | DecimalValue): Integer =>
  value.kind === 'decimal' ? value.mantissa : value.value;
const scaleOf = (value: IntegerValue | DecimalValue): number => (value.kind === 'decimal' ? value.scale : 0);

type Exact = (left: Integer, leftScale: number, right: Integer, rightScale: number) => Result;

function promote(
  left: NumericValue,
  right: NumericValue,
  exact: Exact,
  inexact: (a: number, b: number) => number,
): Result {
  if (left.kind === 'double' || right.kind === 'double') {
    return new DoubleValue(inexact(toNumber(left), toNumber(right)));
  }
  if (left.kind === 'float' || right.kind === 'float') {
    return new FloatValue(Math.fround(inexact(toNumber(left, true), toNumber(right, true))));
  }
  return exact(mantissaOf(left), scaleOf(left), mantissaOf(right), scaleOf(right));
}

const sum = (a: number, b: number): number => a + b;
const difference = (a: number, b: number): number => a - b;
const product = (a: number, b: number): number => a * b;
const quotient = (a: number, b: number): number => a / b;
const subtractDecimals: Exact = (left, leftScale, right, rightScale) =>
  addDecimals(left, leftScale, negateInteger(right), rightScale);

export function add(left: NumericValue, right: NumericValue): Result {
  if (left.kind === 'integer' && right.kind === 'integer') return addIntegers(left.value, right.value);
  if (left.kind === 'double' && right.kind === 'double') return new DoubleValue(left.value + right.value);
  if (left.kind === 'decimal' && right.kind === 'decimal') {
    return addDecimals(left.mantissa, left.scale, right.mantissa, right.scale);
  }
  return promote(left, right, addDecimals, sum);
}

export function subtract(left: NumericValue, right: NumericValue): Result {
  if (left.kind === 'integer' && right.kind === 'integer') return addIntegers(left.value, negateInteger(right.value));
  if (left.kind === 'double' && right.kind === 'double') return new DoubleValue(left.value - right.value);
  return promote(left, right, subtractDecimals, difference);
}

export function multiply(left: NumericValue, right: NumericValue): Result {
  if (left.kind === 'integer' && right.kind === 'integer') return multiplyIntegers(left.value, right.value);
  if (left.kind === 'double' && right.kind === 'double') return new DoubleValue(left.value * right.value);
  return promote(left, right, multiplyDecimals, product);
}

/** Integers give a decimal. */
export const divide = (left: NumericValue, right: NumericValue): Result =>
  promote(left, right, divideDecimals, quotient);

export function negate(value: NumericValue): NumericValue {
  switch (value.kind) {
    case 'integer':
      return new IntegerValue(negateInteger(value.value));
    case 'decimal':
      return new DecimalValue(negateInteger(value.mantissa), value.scale);
    case 'float':
      return new FloatValue(-value.value);
    default:
      return new DoubleValue(-value.value);
  }
}
