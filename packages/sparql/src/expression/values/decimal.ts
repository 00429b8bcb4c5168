/**
 * Exact arithmetic on xsd:integer and xsd:decimal: JS numbers as long as they are safe, bigints beyond. Numbers of more
 * than some 4,000 digits are an error, as XPath allows (FOAR0002), so that no expression can grow without bound.
 */
import { DecimalValue, ERROR, IntegerValue, type ErrorValue, type Integer } from './value-types.js';

export const MAX_DIGITS = 4096;
const LIMIT = 10n ** BigInt(MAX_DIGITS);
/** Fraction digits of a quotient that does not end. */
const DIVISION_DIGITS = 18;
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

const { isSafeInteger } = Number;
const pow10 = (exponent: number): bigint => 10n ** BigInt(exponent);

/** A bigint as a number where that is safe. */
export const demote = (value: bigint): Integer => (value <= SAFE && value >= -SAFE ? Number(value) : value);

export function toInteger(value: bigint): IntegerValue | ErrorValue {
  return value > LIMIT || value < -LIMIT ? ERROR : new IntegerValue(demote(value));
}

/** The integer of a text of digits with a sign, or undefined for more digits than are supported. */
export function parseDigits(text: string): Integer | undefined {
  // `+ 0` makes 0 of -0.
  if (text.length <= 15) return Number(text) + 0;
  if (text.length > MAX_DIGITS) return undefined;
  return demote(BigInt(text.startsWith('+') ? text.slice(1) : text));
}

export function addIntegers(left: Integer, right: Integer): IntegerValue | ErrorValue {
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (isSafeInteger(sum)) return new IntegerValue(sum);
  }
  return toInteger(BigInt(left) + BigInt(right));
}

export function multiplyIntegers(left: Integer, right: Integer): IntegerValue | ErrorValue {
  if (typeof left === 'number' && typeof right === 'number') {
    const product = left * right;
    if (isSafeInteger(product)) return new IntegerValue(product + 0);
  }
  return toInteger(BigInt(left) * BigInt(right));
}

export const negateInteger = (value: Integer): Integer => (typeof value === 'number' ? 0 - value : demote(-value));

/** The decimal without trailing zeros of its fraction. */
function fromBigInt(mantissa: bigint, scale: number): DecimalValue | ErrorValue {
  let digits = mantissa;
  let left = scale;
  while (left > 0 && digits % 10n === 0n) {
    digits /= 10n;
    left--;
  }
  if (left > MAX_DIGITS || digits > LIMIT || digits < -LIMIT) return ERROR;
  return new DecimalValue(demote(digits), left);
}

/** `mantissa` brought from `scale` to the wider scale `target`, or undefined where a number is not enough. */
function widen(mantissa: Integer, scale: number, target: number): number | undefined {
  if (typeof mantissa !== 'number') return undefined;
  if (scale === target) return mantissa;
  const factor = POWERS[target - scale];
  if (factor === undefined) return undefined;
  const wide = mantissa * factor;
  return isSafeInteger(wide) ? wide : undefined;
}

const widenBig = (mantissa: Integer, scale: number, target: number): bigint =>
  BigInt(mantissa) * (scale === target ? 1n : pow10(target - scale));

export function addDecimals(
  left: Integer,
  leftScale: number,
  right: Integer,
  rightScale: number,
): DecimalValue | ErrorValue {
  const scale = leftScale > rightScale ? leftScale : rightScale;
  const a = widen(left, leftScale, scale);
  const b = widen(right, rightScale, scale);
  if (a !== undefined && b !== undefined && isSafeInteger(a + b)) return new DecimalValue(a + b, scale);
  return fromBigInt(widenBig(left, leftScale, scale) + widenBig(right, rightScale, scale), scale);
}

export function multiplyDecimals(
  left: Integer,
  leftScale: number,
  right: Integer,
  rightScale: number,
): DecimalValue | ErrorValue {
  const scale = leftScale + rightScale;
  if (typeof left === 'number' && typeof right === 'number') {
    const product = left * right;
    if (isSafeInteger(product) && scale <= 22) return new DecimalValue(product + 0, scale);
  }
  return fromBigInt(BigInt(left) * BigInt(right), scale);
}

/** The quotient, rounded half away from zero where it does not end; by zero an error. */
export function divideDecimals(
  left: Integer,
  leftScale: number,
  right: Integer,
  rightScale: number,
): DecimalValue | ErrorValue {
  if (right === 0) return ERROR;
  if (typeof left === 'number' && typeof right === 'number') {
    const short = divideShort(left, leftScale, right, rightScale);
    if (short !== undefined) return short;
  }
  const dividend = BigInt(left);
  const divisor = BigInt(right);
  // At least 18 digits after the point, and as many digits that count.
  const extra = digitCount(divisor) - rightScale - (digitCount(dividend) - leftScale);
  const scale = DIVISION_DIGITS + Math.max(0, extra);
  const shift = scale - leftScale + rightScale;
  const numerator = shift >= 0 ? dividend * pow10(shift) : dividend;
  const denominator = shift >= 0 ? divisor : divisor * pow10(-shift);
  return fromBigInt(divideRounded(numerator, denominator), scale);
}

// Quotients with up to six more digits than their operands, all in safe numbers.
function divideShort(left: number, leftScale: number, right: number, rightScale: number): DecimalValue | undefined {
  for (let digits = Math.max(0, rightScale - leftScale); digits <= 6; digits++) {
    const numerator = left * (POWERS[digits] as number);
    if (!isSafeInteger(numerator)) return undefined;
    if (numerator % right === 0) return new DecimalValue(numerator / right + 0, leftScale + digits - rightScale);
  }
  return undefined;
}

const digitCount = (value: bigint): number => String(value < 0n ? -value : value).length;

function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const rest = numerator % denominator;
  const twice = 2n * (rest < 0n ? -rest : rest);
  if (twice < (denominator < 0n ? -denominator : denominator)) return quotient;
  return numerator < 0n === denominator < 0n ? quotient + 1n : quotient - 1n;
}

/** -1, 0 or 1. */
export function compareDecimals(left: Integer, leftScale: number, right: Integer, rightScale: number): number {
  const scale = leftScale > rightScale ? leftScale : rightScale;
  const a = widen(left, leftScale, scale);
  const b = widen(right, rightScale, scale);
  if (a !== undefined && b !== undefined) return a < b ? -1 : a > b ? 1 : 0;
  const bigA = widenBig(left, leftScale, scale);
  const bigB = widenBig(right, rightScale, scale);
  return bigA < bigB ? -1 : bigA > bigB ? 1 : 0;
}

/** The greatest integer that is not above the decimal. */
export function floorDecimal(mantissa: Integer, scale: number): Integer {
  if (scale === 0) return mantissa;
  const factor = POWERS[scale];
  if (typeof mantissa === 'number' && factor !== undefined && scale <= 15) {
    const rest = mantissa % factor;
    return (mantissa - rest) / factor - (rest < 0 ? 1 : 0) + 0;
  }
  const big = BigInt(mantissa);
  const divisor = pow10(scale);
  const quotient = big / divisor;
  return demote(big < 0n && quotient * divisor !== big ? quotient - 1n : quotient);
}

/** The integer part, towards zero. */
export function truncateDecimal(mantissa: Integer, scale: number): Integer {
  return mantissa < 0 ? negateInteger(floorDecimal(negateInteger(mantissa), scale)) : floorDecimal(mantissa, scale);
}

/** The nearest double. */
export function decimalToNumber(mantissa: Integer, scale: number): number {
  if (typeof mantissa === 'number' && scale <= 22) return mantissa / (POWERS[scale] as number);
  return Number(`${mantissa}e-${scale}`);
}

function withoutTrailingZeros(digits: string): string {
  let { length } = digits;
  while (digits.endsWith('0', length) && length > 0) length--;
  return digits.slice(0, length);
}

/** Without trailing zeros, and without a point where the value is an integer: XSD 1.1, and casts to xsd:string. */
export function formatDecimal(mantissa: Integer, scale: number): string {
  if (scale === 0) return String(mantissa);
  const digits = String(mantissa < 0 ? -mantissa : mantissa).padStart(scale + 1, '0');
  const fraction = withoutTrailingZeros(digits.slice(-scale));
  const text = digits.slice(0, -scale) + (fraction === '' ? '' : `.${fraction}`);
  return mantissa < 0 ? `-${text}` : text;
}

const DECIMAL = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))$/;

/** The usual form, short enough for a safe number. */
const SHORT_DECIMAL = /^-?\d+\.\d+$/;

export function parseDecimal(text: string): DecimalValue | undefined {
  if (text.length <= 15 && SHORT_DECIMAL.test(text)) {
    const point = text.indexOf('.');
    const mantissa = Number(text.slice(0, point) + text.slice(point + 1));
    return new DecimalValue(mantissa + 0, text.length - point - 1);
  }
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const fraction = withoutTrailingZeros(match[3] ?? match[4] ?? '');
  const mantissa = parseDigits(`${match[1]}${`${match[2] ?? ''}${fraction}` || '0'}`);
  return mantissa === undefined ? undefined : new DecimalValue(mantissa, fraction.length);
}

/** The decimal that the shortest text of a finite double stands for. */
export function numberToDecimal(value: number): DecimalValue {
  const [digits = '0', exponent = '0'] = value.toExponential().split('e');
  const parsed = parseDecimal(digits) as DecimalValue;
  const scale = parsed.scale - Number(exponent);
  if (scale >= 0) return new DecimalValue(parsed.mantissa, scale);
  return new DecimalValue(demote(BigInt(parsed.mantissa) * pow10(-scale)), 0);
}
