/** Tables that do not overlap, in the order of their keys: a level above 0, or a single table of level 0. */

import { compareBytes, type Bytes, type KeyRange } from '@quadrille/storage';
import type { KeyVersion, VersionSource } from './key-version.js';
import type { TableFile } from './version.js';

export interface OpenTable {
  readonly file: Pick<TableFile, 'smallest' | 'largest'>;
  readonly table: VersionSource;
}

export class LevelOfTables implements VersionSource {
  constructor(private readonly tables: readonly OpenTable[]) {}

  find(key: Bytes): KeyVersion | undefined {
    const { tables } = this;
    let low = 0;
    let high = tables.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareBytes(tables[middle]!.file.largest, key) < 0) low = middle + 1;
      else high = middle;
    }
    const found = tables[low];
    return found === undefined || compareBytes(found.file.smallest, key) > 0 ? undefined : found.table.find(key);
  }

  *scan(range: KeyRange): Generator<KeyVersion> {
    const { gte, lt } = range;
    const inside = this.tables.filter(
      ({ file: { smallest, largest } }) =>
        (gte === undefined || compareBytes(largest, gte) >= 0) && (lt === undefined || compareBytes(smallest, lt) < 0),
    );
    if (range.reverse === true) inside.reverse();
    for (const { table } of inside) yield* table.scan(range);
  }
}
