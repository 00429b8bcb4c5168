/** The content of a LevelDB log as a table in memory (leveldb/db/write_batch.cc). */

import { compareBytes, isInRange, type Bytes, type KeyRange } from '@quadrille/storage';
import { ByteCursor } from './byte-cursor.js';
import { VALUE_TYPE, type KeyVersion, type VersionSource } from './key-version.js';

export class LogTable implements VersionSource {
  readonly #versions = new Map<string, KeyVersion>();
  #sorted: KeyVersion[] | undefined;

  /** Adds a record, which is a batch. @throws RangeError if it is not a batch */
  apply(record: Uint8Array): void {
    const cursor = new ByteCursor(record);
    let sequence = cursor.u64();
    for (let left = cursor.u32(); left > 0; left--, sequence++) {
      const type = cursor.u8();
      const key = cursor.prefixed();
      const value = type === VALUE_TYPE ? cursor.prefixed() : undefined;
      this.#versions.set(nameOf(key), { key, sequence, value });
    }
    this.#sorted = undefined;
  }

  find(key: Bytes): KeyVersion | undefined {
    return this.#versions.get(nameOf(key));
  }

  *scan(range: KeyRange): Generator<KeyVersion> {
    this.#sorted ??= [...this.#versions.values()].sort((a, b) => compareBytes(a.key, b.key));
    const inside = this.#sorted.filter(({ key }) => isInRange(key, range));
    yield* range.reverse === true ? inside.reverse() : inside;
  }
}

const nameOf = (key: Bytes): string => Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
