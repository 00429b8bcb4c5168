/** Exact arithmetic, checked against bigints of one wide scale. */
import { describe, expect, it } from 'vitest';
import {
  addDecimals,
  addIntegers,
  compareDecimals,
  decimalToNumber,
  divideDecimals,
  floorDecimal,
  formatDecimal,
  multiplyDecimals,
  numberToDecimal,
  parseDecimal,
  truncateDecimal,
} from './decimal.js';
import type { DecimalValue, ErrorValue } from './value-types.js';

const SCALE = 80;
const wide = (value: DecimalValue | ErrorValue): bigint => {
  if (value.kind === 'error') throw new Error('an error');
  return BigInt(value.mantissa) * 10n ** BigInt(SCALE - value.scale);
};

// Small, around the limit of safe numbers, and long.
const TEXTS = [
  '0',
  '-0.0',
  '1',
  '-1',
  '0.1',
  '-0.25',
  '2.50',
  '1000000.000001',
  '9007199254740991',
  '9007199254740993',
];
const LONG = ['90071992547409.93', '-9007199254740992', '123456789012345678901234.5', '0.000000000000000000001'];
const decimals = [...TEXTS, ...LONG].map((text) => parseDecimal(text) as DecimalValue);
const pairs = decimals.flatMap((left) => decimals.map((right) => [left, right] as const));

describe('decimals', () => {
  it('add, multiply and compare exactly', () => {
    for (const [{ mantissa: a, scale: s }, { mantissa: b, scale: t }] of pairs) {
      const left = BigInt(a) * 10n ** BigInt(SCALE - s);
      const right = BigInt(b) * 10n ** BigInt(SCALE - t);
      expect(wide(addDecimals(a, s, b, t))).toBe(left + right);
      expect(wide(multiplyDecimals(a, s, b, t)) * 10n ** BigInt(SCALE)).toBe(left * right);
      expect(compareDecimals(a, s, b, t)).toBe(left < right ? -1 : left > right ? 1 : 0);
    }
  });

  it('divide exactly where the quotient ends, and to 18 digits or more otherwise', () => {
    for (const [{ mantissa: a, scale: s }, { mantissa: b, scale: t }] of pairs) {
      const quotient = divideDecimals(a, s, b, t);
      if (b === 0) {
        expect(quotient.kind).toBe('error');
        continue;
      }
      const { mantissa, scale } = quotient as DecimalValue;
      const back = wide(multiplyDecimals(mantissa, scale, b, t));
      const dividend = BigInt(a) * 10n ** BigInt(SCALE - s);
      const difference = back > dividend ? back - dividend : dividend - back;
      // Off by half a unit of the last digit times the divisor at most.
      const divisor = BigInt(b < 0 ? -b : b) * 10n ** BigInt(SCALE - t);
      expect(difference * 2n * 10n ** 18n <= divisor).toBe(true);
    }
  });

  it.each([
    ['1', '3', '0.333333333333333333'],
    ['2', '3', '0.666666666666666667'],
    ['-2', '3', '-0.666666666666666667'],
    ['1', '8', '0.125'],
    ['1', '100000000000000000000', '0.00000000000000000001'],
  ])('%s / %s = %s', (left, right, expected) => {
    const a = parseDecimal(left) as DecimalValue;
    const b = parseDecimal(right) as DecimalValue;
    const { mantissa, scale } = divideDecimals(a.mantissa, a.scale, b.mantissa, b.scale) as DecimalValue;
    expect(formatDecimal(mantissa, scale)).toBe(expected);
  });

  it.each([
    ['2.5', 2, 2],
    ['-2.5', -3, -2],
    ['-2', -2, -2],
    ['0.99', 0, 0],
    ['-0.01', -1, 0],
  ])('floor and integer part of %s', (text, floor, truncated) => {
    const { mantissa, scale } = parseDecimal(text) as DecimalValue;
    expect(floorDecimal(mantissa, scale)).toBe(floor);
    expect(truncateDecimal(mantissa, scale)).toBe(truncated);
  });

  it('refuses what is not a decimal', () => {
    for (const text of ['', '+', '.', '1e0', '1 ', 'a', '--1']) expect(parseDecimal(text)).toBeUndefined();
    expect(parseDecimal('+.50')).toMatchObject({ mantissa: 5, scale: 1 });
    expect(parseDecimal('1.')).toMatchObject({ mantissa: 1, scale: 0 });
  });

  it('goes through doubles and back', () => {
    for (const value of [0, 0.1, -2.5, 1e21, 1.5e-7, 123456.789, 5e-324, 1.7976931348623157e308]) {
      const { mantissa, scale } = numberToDecimal(value);
      expect(decimalToNumber(mantissa, scale)).toBe(value);
    }
  });

  it('keeps integers exact beyond safe numbers, and gives up on endless ones', () => {
    expect(addIntegers(Number.MAX_SAFE_INTEGER, 1)).toMatchObject({ value: 9007199254740992n });
    expect(addIntegers(9007199254740992n, -1)).toMatchObject({ value: Number.MAX_SAFE_INTEGER });
    const huge = 10n ** 4000n;
    expect(multiplyDecimals(huge, 0, huge, 0).kind).toBe('error');
  });
});
