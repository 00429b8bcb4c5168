/**
 * Sources of a seeker: they are asked for one key after the other, and keep what they decoded last, since keys that
 * follow one another mostly lie in the same group of rows.
 */
import type { ColumnFilter, RowSource } from './row-source.js';

/** What all sources of a seeker share and the seeker changes from key to key. */
export interface SeekKey {
  /** The bound ids in the places of the order. */
  readonly ids: readonly number[];
  readonly prefix: number;
  readonly filters: readonly ColumnFilter[];
  /** The key's {@link keyHash}, where its prefix has one; else -1. */
  readonly hash: number;
}

export interface SeekSource extends RowSource {
  /** Goes to the key: 0 if no row has its prefix, else `fill` gives the rows; MISS if {@link missing} is to be fetched. */
  seek(): number;
  /** Whether the windows to come need `from` and `to`. Set after `seek`. */
  withRevisions(needed: boolean): void;
}

/** Where a seeker looks for rows that are there, and for tombstones. */
export interface SeekSources {
  readonly plus: SeekSource[];
  readonly minus: SeekSource[];
}
