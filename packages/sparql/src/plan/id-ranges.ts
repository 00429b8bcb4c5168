/** Ranges of ids that can pass comparisons with constants: inline ids order as their values do. */
import type * as RDF from '@rdfjs/types';
import {
  DATE_FIRST,
  DECIMAL_FIRST,
  DECIMAL_LIMIT,
  DECIMAL_SCALE,
  DECIMAL_ZERO,
  FIRST_INLINE_ID,
  INTEGER_LIMIT,
  INTEGER_ZERO,
  XSD,
} from '@quadrille/model';
import type { ScanRange } from './plan.js';

/** Bounds, both included; without them everything. */
export interface IdRange {
  readonly least?: number;
  readonly greatest?: number;
}

const NUMERIC = new Set(['integer', 'decimal', 'double', 'float'].map((name) => XSD + name));
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The ranges, ascending. They always include the terms whose id contains no value. What lies in a range must still be compared:
 * ranges only leave out what cannot pass.
 */
export function idRanges({ comparisons }: ScanRange, resolve: (term: RDF.Term) => RDF.Term): IdRange[] {
  let low = -Infinity;
  let high = Infinity;
  for (const { operator, value } of comparisons) {
    const number = numberOf(resolve(value));
    // Compared with anything else than a number, inline numbers may pass or raise errors: nothing is left out.
    if (number === undefined) return [{}];
    if (operator !== '<' && operator !== '<=') low = Math.max(low, number);
    if (operator !== '>' && operator !== '>=') high = Math.min(high, number);
  }
  const dictionary = { least: 0, greatest: FIRST_INLINE_ID - 1 };
  const local = { least: DATE_FIRST, greatest: 0xffff_ffff };
  return [
    dictionary,
    ...valueRange(low, high, 1, INTEGER_LIMIT, INTEGER_ZERO, FIRST_INLINE_ID, DECIMAL_FIRST - 1),
    ...valueRange(low, high, DECIMAL_SCALE, DECIMAL_LIMIT, DECIMAL_ZERO, DECIMAL_FIRST, DATE_FIRST - 1),
    local,
  ];
}

function numberOf(term: RDF.Term): number | undefined {
  if (term.termType !== 'Literal' || !NUMERIC.has(term.datatype.value) || !NUMBER.test(term.value)) return undefined;
  return Number(term.value);
}

// Rounded outwards: a constant between two ids lets both through, and the comparison itself decides.
function valueRange(
  low: number,
  high: number,
  scale: number,
  limit: number,
  zero: number,
  first: number,
  last: number,
): IdRange[] {
  const from = Math.floor(low * scale) - 1;
  const to = Math.ceil(high * scale) + 1;
  if (from >= limit || to < -limit) return [];
  const least = from <= -limit ? first : zero + from;
  const greatest = to >= limit ? last : zero + to;
  return least <= greatest ? [{ least, greatest }] : [];
}
