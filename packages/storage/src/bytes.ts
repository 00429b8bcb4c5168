/** Order, equality and names of byte strings, as every part of the storage layer uses them. */

import type { Bytes, KeyRange } from './contract.js';

/** Negative, zero or positive as `a` comes before, is or comes after `b`: unsigned bytes, a prefix before what it begins. */
export function compareBytes(a: Bytes, b: Bytes): number {
  const shared = a.length < b.length ? a.length : b.length;
  for (let i = 0; i < shared; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Whether both hold the same bytes; two absent values are equal. */
export function equalBytes(a: Bytes | undefined, b: Bytes | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && compareBytes(a, b) === 0;
}

/** Whether `key` lies within the bounds of `range`; its direction and limit play no part. */
export function isInRange(key: Bytes, range: Pick<KeyRange, 'gte' | 'lt'>): boolean {
  if (range.gte !== undefined && compareBytes(key, range.gte) < 0) return false;
  return range.lt === undefined || compareBytes(key, range.lt) < 0;
}

/** Lower-case hexadecimal, for messages. */
export function toHex(bytes: Bytes): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}
