/**
 * LIMIT and OFFSET of a whole query. They are no part of its shape and of its plan: a plan for ten rows serves twelve as well.
 */
import type { Operation } from './algebra.js';

export interface Slice {
  readonly start: number;
  /** `undefined`: all rows. */
  readonly length: number | undefined;
}

export const sliceOf = (algebra: Operation): Slice | undefined =>
  algebra.type === 'slice' ? { start: algebra.start, length: algebra.length } : undefined;

export const withSlice = <T extends Operation>(algebra: T, slice: Slice | undefined): T =>
  slice === undefined || algebra.type !== 'slice' ? algebra : { ...algebra, ...slice };

/** For how many rows a query is planned. */
export interface RowsToPlanFor {
  /** Of this text. */
  readonly first: number;
  /** Of all texts that may share the plan. */
  readonly most: number;
}

/** Limits up to here share plans in steps. A sort keeps as many rows as it is planned for. */
const LARGEST_STEP = 4096;

/** `most` is the same number for limits that are alike. `undefined`: all rows are read. */
export function rowsToPlanFor({ start, length }: Slice): RowsToPlanFor | undefined {
  if (length === undefined) return undefined;
  const first = start + length;
  if (first > LARGEST_STEP) return { first, most: first };
  let most = 1;
  while (most < first) most *= 4;
  return { first, most };
}
