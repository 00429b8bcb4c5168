/** Where terms are in the order of SPARQL, without their values: a place for those that are compared with one another, and a key there. */
import {
  BOOLEAN_FALSE,
  DATE_FIRST,
  DATE_ZERO,
  DECIMAL_FIRST,
  DECIMAL_SCALE,
  DECIMAL_ZERO,
  FIRST_INLINE_ID,
  FIRST_LOCAL_ID,
  INTEGER_ZERO,
  UNBOUND,
} from '@quadrille/model';
import { Family, type FamilyNumber } from '@quadrille/model/order-key';
import type { KeyRange } from '../../dataset/id-dataset.js';

/** By the IRIs of datatypes. What is unbound comes first, and all numbers are one. Values tell of the unknown. */
export const Place = { unknown: 0, nothing: 1, booleans: 2, dates: 3, dateTimes: 4, numbers: 5 } as const;

/** The place of each family of keys. */
export const PLACES: ReadonlyMap<FamilyNumber, number> = new Map<FamilyNumber, number>([
  [Family.localDates, Place.dates],
  [Family.zonedDates, Place.dates],
  [Family.localDateTimes, Place.dateTimes],
  [Family.zonedDateTimes, Place.dateTimes],
  [Family.numbers, Place.numbers],
]);

/** All keys of these families. */
export const KEYED_RANGES: readonly KeyRange[] = Array.from(PLACES.keys(), (family) => ({
  family,
  least: -Infinity,
  greatest: Infinity,
}));

const DAY_MS = 86_400_000;

/** The place of an id that contains its value, or is unbound. */
export function placeOf(id: number): number {
  if (id === UNBOUND) return Place.nothing;
  if (id < FIRST_INLINE_ID || id >= FIRST_LOCAL_ID) return Place.unknown;
  if (id < DATE_FIRST) return Place.numbers;
  return id < BOOLEAN_FALSE ? Place.dates : Place.booleans;
}

/** The key of an id that contains its value. */
export function keyOf(id: number): number {
  if (id < DECIMAL_FIRST) return id - INTEGER_ZERO;
  if (id < DATE_FIRST) return (id - DECIMAL_ZERO) / DECIMAL_SCALE;
  return id < BOOLEAN_FALSE ? (id - DATE_ZERO) * DAY_MS : id - BOOLEAN_FALSE;
}
