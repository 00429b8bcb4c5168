/** Versions of keys in LevelDB, and the sources in which they are looked up. */

import type { Bytes, KeyRange } from '@quadrille/storage';

export interface KeyVersion {
  readonly key: Bytes;
  /** Sequence number, which grows with every operation. Of two versions the one with the higher number counts. */
  readonly sequence: number;
  /** The value; undefined if the key was deleted. */
  readonly value: Bytes | undefined;
}

/** A table, a level of tables that do not overlap, or the content of a log. */
export interface VersionSource {
  /** The newest version of a key in this source. */
  find(key: Bytes): KeyVersion | undefined;
  /**
   * The versions in a range, in its direction; ignores its limit. Several versions of a key are adjacent, in any
   * order.
   */
  scan(range: KeyRange): Iterable<KeyVersion>;
}

export const VALUE_TYPE = 1;
