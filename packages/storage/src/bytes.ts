/** Comparison, equality and display of byte strings, for all parts of the storage layer. */

import type { Bytes, KeyRange } from './contract.js';

/**
 * Compares unsigned bytes; a prefix comes before longer strings. Negative, zero or positive if `a` is below, equal to
 * or above `b`.
 */
export function compareBytes(a: Bytes, b: Bytes): number {
  const shared = a.length < b.length ? a.length : b.length;
  for (let i = 0; i < shared; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Whether both have the same bytes. Two absent values are equal. */
export function equalBytes(a: Bytes | undefined, b: Bytes | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && compareBytes(a, b) === 0;
}

/** Whether `key` lies within the bounds of `range`. Ignores its direction and limit. */
export function isInRange(key: Bytes, range: Pick<KeyRange, 'gte' | 'lt'>): boolean {
  if (range.gte !== undefined && compareBytes(key, range.gte) < 0) return false;
  return range.lt === undefined || compareBytes(key, range.lt) < 0;
}

/** Lower-case hexadecimal, for error messages. */
export function toHex(bytes: Bytes): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}
