/** What LevelDB knows of a key at one time, and where it looks for it. */

import type { Bytes, KeyRange } from '@quadrille/storage';

export interface KeyVersion {
  readonly key: Bytes;
  /** Grows with every operation: of two versions the later one counts. */
  readonly sequence: number;
  /** Undefined: it was deleted. */
  readonly value: Bytes | undefined;
}

/** A table, a level of tables that do not overlap, or what stands in a log. */
export interface VersionSource {
  /** The newest version of a key here. */
  find(key: Bytes): KeyVersion | undefined;
  /** In the direction of the range; its limit plays no part. Several versions of a key follow one another in any order. */
  scan(range: KeyRange): Iterable<KeyVersion>;
}

export const VALUE_TYPE = 1;
