/**
 * Literals whose id contains their value: conversion from and to canonical text. `term-ids.ts` of `model` defines the
 * id ranges.
 */
import {
  BOOLEAN_FALSE,
  DATE_FIRST,
  DATE_ZERO,
  DECIMAL_FIRST,
  DECIMAL_LIMIT,
  DECIMAL_SCALE,
  DECIMAL_ZERO,
  INTEGER_LIMIT,
  INTEGER_ZERO,
} from '@quadrille/model';

export { isInline } from '@quadrille/model';

const XSD = `"^^<http://www.w3.org/2001/XMLSchema#`;
const suffix = (name: string): Uint8Array => new TextEncoder().encode(`${XSD}${name}>`);
const INTEGER_SUFFIX = suffix('integer');
const DECIMAL_SUFFIX = suffix('decimal');
const DATE_SUFFIX = suffix('date');
const BOOLEAN_SUFFIX = suffix('boolean');

const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;

/** The id of a canonical N-Triples text if its value can be inlined, otherwise 0. */
export function inlineId(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== 0x22 || bytes[end - 1] !== 0x3e) return 0;
  // The last letter of the datatype tells the four datatypes apart, before any text is compared.
  switch (bytes[end - 2]) {
    case 0x72: // intege(r)
      return endsWith(bytes, start, end, INTEGER_SUFFIX) ? integerId(bytes, start + 1, end - INTEGER_SUFFIX.length) : 0;
    case 0x6c: // decima(l)
      return endsWith(bytes, start, end, DECIMAL_SUFFIX) ? decimalId(bytes, start + 1, end - DECIMAL_SUFFIX.length) : 0;
    case 0x65: // dat(e)
      return endsWith(bytes, start, end, DATE_SUFFIX) ? dateId(bytes, start + 1, end - DATE_SUFFIX.length) : 0;
    case 0x6e: // boolea(n)
      return endsWith(bytes, start, end, BOOLEAN_SUFFIX) ? booleanId(bytes, start + 1, end - BOOLEAN_SUFFIX.length) : 0;
    default:
      return 0;
  }
}

function endsWith(bytes: Uint8Array, start: number, end: number, tail: Uint8Array): boolean {
  const offset = end - tail.length;
  if (offset <= start) return false;
  for (let i = tail.length - 3; i >= 0; i--) if (bytes[offset + i] !== tail[i]) return false;
  return true;
}

// The value of up to 9 digits without leading zeros, or -1. The caller handles the sign and "-0".
function digits(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 1 || length > 9 || (length > 1 && bytes[start] === ZERO)) return -1;
  return plainDigits(bytes, start, end);
}

function plainDigits(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = bytes[i]! - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function integerId(bytes: Uint8Array, start: number, end: number): number {
  const negative = bytes[start] === MINUS;
  const value = digits(bytes, negative ? start + 1 : start, end);
  if (value < 0 || (negative && value === 0)) return 0;
  const signed = negative ? -value : value;
  return signed >= -INTEGER_LIMIT && signed < INTEGER_LIMIT ? INTEGER_ZERO + signed : 0;
}

function decimalId(bytes: Uint8Array, start: number, end: number): number {
  const negative = bytes[start] === MINUS;
  const first = negative ? start + 1 : start;
  let point = first;
  while (point < end && bytes[point] !== POINT) point++;
  const fractionDigits = end - point - 1;
  if (fractionDigits < 1 || fractionDigits > 4) return 0;
  if (fractionDigits > 1 && bytes[end - 1] === ZERO) return 0;
  const whole = digits(bytes, first, point);
  const fraction = plainDigits(bytes, point + 1, end);
  if (whole < 0 || fraction < 0) return 0;
  const scaled = whole * DECIMAL_SCALE + fraction * 10 ** (4 - fractionDigits);
  if (scaled >= DECIMAL_LIMIT || (negative && scaled === 0)) return 0;
  return DECIMAL_ZERO + (negative ? -scaled : scaled);
}

function dateId(bytes: Uint8Array, start: number, end: number): number {
  if (end - start !== 10 || bytes[start + 4] !== MINUS || bytes[start + 7] !== MINUS) return 0;
  const year = plainDigits(bytes, start, start + 4);
  const month = plainDigits(bytes, start + 5, start + 7);
  const day = plainDigits(bytes, start + 8, start + 10);
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return 0;
  return DATE_ZERO + daysSinceEpoch(year, month, day);
}

function booleanId(bytes: Uint8Array, start: number, end: number): number {
  const text = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 6)));
  if (text === 'true') return BOOLEAN_FALSE + 1;
  return text === 'false' ? BOOLEAN_FALSE : 0;
}

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const daysInMonth = (year: number, month: number): number =>
  month === 2 ? (isLeapYear(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

const DAY_MS = 86_400_000;

function daysSinceEpoch(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.round(date.getTime() / DAY_MS);
}

/** The canonical N-Triples text of an inlined id. */
export function inlineText(id: number): string {
  if (id < DECIMAL_FIRST) return `"${id - INTEGER_ZERO}${XSD}integer>`;
  if (id < DATE_FIRST) return `"${decimalText(id - DECIMAL_ZERO)}${XSD}decimal>`;
  if (id < BOOLEAN_FALSE) return `"${new Date((id - DATE_ZERO) * DAY_MS).toISOString().slice(0, 10)}${XSD}date>`;
  return `"${id === BOOLEAN_FALSE ? 'false' : 'true'}${XSD}boolean>`;
}

function decimalText(scaled: number): string {
  const size = Math.abs(scaled);
  const fraction = String(size % DECIMAL_SCALE)
    .padStart(4, '0')
    .replace(/0{1,3}$/, '');
  return `${scaled < 0 ? '-' : ''}${Math.floor(size / DECIMAL_SCALE)}.${fraction}`;
}
