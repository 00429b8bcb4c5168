/**
 * Sources of a seeker. A seeker asks them for one key after the other. They keep the rows that they decoded last, because
 * consecutive keys are usually in the same group of rows.
 */
import type { ColumnFilter, RowSource } from './row-source.js';

/** The key that all sources of a seeker share. The seeker changes it in place. */
export interface SeekKey {
  /** The bound ids in the sequence of the order. */
  readonly ids: readonly number[];
  readonly prefix: number;
  readonly filters: readonly ColumnFilter[];
  /** The `keyHash` of the key; -1 if the prefix is too short for one. */
  readonly hash: number;
}

export interface SeekSource extends RowSource {
  /**
   * Moves to the key. Returns 0 if no row has its prefix; then `fill` reads the rows. Returns MISS if `missing`
   * must be fetched first.
   */
  seek(): number;
  /** Sets whether the next windows need `from` and `to`. Call it after `seek`. */
  withRevisions(needed: boolean): void;
}

/** The sources of a seeker: `plus` for present quads, `minus` for tombstones. */
export interface SeekSources {
  readonly plus: SeekSource[];
  readonly minus: SeekSource[];
}
