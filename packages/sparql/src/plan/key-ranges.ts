/** Ranges of keys of literals that can pass comparisons with constants: model's order-key.ts says what keys are. */
import type * as RDF from '@rdfjs/types';
import { DATE_FIRST, BOOLEAN_FALSE, FIRST_INLINE_ID, FIRST_LOCAL_ID, termToText } from '@quadrille/model';
import { Family, familyOf, type FamilyNumber, orderKey } from '@quadrille/model/order-key';
import type { KeyRange } from '../dataset/id-dataset.js';
import { type IdRange, idRanges } from './id-ranges.js';
import type { ScanRange } from './plan.js';

/** Keys that may pass, of one family. Those farther than `margin` from both ends pass certainly. */
export interface PassingKeys extends KeyRange {
  readonly margin: number;
}

/** What can pass. */
export interface PassingValues {
  readonly keys: readonly PassingKeys[];
  /** Ids that contain their values, and those that a query has made. */
  readonly inline: readonly IdRange[];
}

/** Which values are compared with one another. */
type Sort = 'numbers' | 'dateTimes' | 'dates';
const SORTS: readonly (Sort | undefined)[] = ['numbers', 'dateTimes', 'dateTimes', 'dates', 'dates'];

/** Numbers are rounded to floats in comparisons with floats. */
const FLOAT_SHARE = 2 ** -22;
const LEAST_FLOAT = 2 ** -148;
const GREATEST_FLOAT = 3e38;
/** In milliseconds: what the key of a time may be away from it, and up to which distance times with and without a zone are not compared. */
const INSTANT = 1;
const ZONES = 14 * 3_600_000 + INSTANT;
const LOCAL: IdRange = { least: FIRST_LOCAL_ID, greatest: 0xffff_ffff };
const NUMBERS: IdRange = { least: FIRST_INLINE_ID, greatest: DATE_FIRST - 1 };
const DATES: IdRange = { least: DATE_FIRST, greatest: BOOLEAN_FALSE - 1 };
const utf8 = new TextEncoder();

/** What can pass all comparisons; `undefined` where keys do not tell. */
export function passingValues(range: ScanRange, resolve: (term: RDF.Term) => RDF.Term): PassingValues | undefined {
  let sort: Sort | undefined;
  const families = new Set<number>();
  let [low, high] = [-Infinity, Infinity];
  for (const { operator, value } of range.comparisons) {
    const term = resolve(value);
    const family = term.termType === 'Literal' ? familyOf(utf8.encode(termToText(term))) : -1;
    const own = SORTS[family];
    if (own === undefined || (sort !== undefined && own !== sort) || Math.abs(orderKey) > GREATEST_FLOAT)
      return undefined;
    sort = own;
    families.add(family);
    if (operator !== '<' && operator !== '<=') low = Math.max(low, orderKey);
    if (operator !== '>' && operator !== '>=') high = Math.min(high, orderKey);
  }
  if (sort === undefined) return undefined;
  const keys = SORTS.flatMap((each, family): PassingKeys[] => {
    if (each !== sort) return [];
    // With and without a zone, values are not compared with those that are near.
    const isSame = families.size === 1 && families.has(family);
    const margin = sort === 'numbers' ? floatMargin(low, high) : isSame ? INSTANT : ZONES;
    return [{ family: family as FamilyNumber, least: low - margin, greatest: high + margin, margin }];
  });
  const others = { family: Family.others, least: -Infinity, greatest: Infinity, margin: Infinity };
  return { keys: [...keys, others], inline: [...inlineOf(sort, range, resolve), LOCAL] };
}

function floatMargin(low: number, high: number): number {
  const size = Math.max(...[low, high].map((bound) => (Number.isFinite(bound) ? Math.abs(bound) : 0)));
  return size * FLOAT_SHARE + LEAST_FLOAT;
}

function inlineOf(sort: Sort, range: ScanRange, resolve: (term: RDF.Term) => RDF.Term): readonly IdRange[] {
  if (sort === 'dateTimes') return [];
  if (sort === 'dates') return [DATES];
  const isInNumbers = ({ least = 0, greatest = 0xffff_ffff }: IdRange): boolean =>
    least >= FIRST_INLINE_ID && greatest < DATE_FIRST;
  const ranges = idRanges(range, resolve);
  // Of constants of other datatypes it leaves nothing out.
  return ranges.length === 1 ? [NUMBERS] : ranges.filter(isInNumbers);
}

/** Whether a key passes certainly. */
export const isSure = ({ least, greatest, margin }: PassingKeys, key: number): boolean =>
  key > least + 2 * margin && key < greatest - 2 * margin;
