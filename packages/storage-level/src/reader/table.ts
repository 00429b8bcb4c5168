/**
 * A table file of LevelDB (leveldb/doc/table_format.md): blocks of entries whose keys share their beginnings, an index of
 * the blocks, a footer. Entries are sorted by key, and those of one key from the newest to the oldest.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { CorruptionError } from '@quadrille/model';
import { compareBytes, type Bytes, type KeyRange } from '@quadrille/storage';
import { BlockCache } from './block-cache.js';
import { ByteCursor } from './byte-cursor.js';
import { maskedCrc32c } from './crc32c.js';
import { VALUE_TYPE, type KeyVersion, type VersionSource } from './key-version.js';
import { decompressSnappy } from './snappy.js';

const FOOTER_BYTES = 48;
const MAGIC = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb] as const;
/** Behind each block: how it is compressed, and a checksum. */
const TRAILER_BYTES = 5;
const SNAPPY = 1;
/** Behind a user's key: type and sequence. */
const SUFFIX_BYTES = 8;

interface IndexEntry {
  /** Not before any key of the block. */
  readonly last: Bytes;
  readonly offset: number;
  readonly bytes: number;
}

/** Told of a block that cannot be read; what it answers for is not there. Without it reading throws. */
export type OnDamage = (problem: CorruptionError) => void;

export class Table implements VersionSource {
  readonly #descriptor: number;
  readonly #index: readonly IndexEntry[];

  private constructor(
    private readonly path: string,
    descriptor: number,
    private readonly cache: BlockCache,
    private readonly onDamage: OnDamage | undefined,
  ) {
    this.#descriptor = descriptor;
    const { size } = fstatSync(descriptor);
    const footer = size < FOOTER_BYTES ? new Uint8Array(FOOTER_BYTES) : this.#read(size - FOOTER_BYTES, FOOTER_BYTES);
    if (!MAGIC.every((byte, i) => footer[FOOTER_BYTES - MAGIC.length + i] === byte))
      throw this.#damaged('has no footer');
    const handles = new ByteCursor(footer);
    // That of the meta index comes first.
    handles.varint();
    handles.varint();
    this.#index = this.#readIndex(handles.varint(), handles.varint());
  }

  /** @throws CorruptionError `CHECKSUM` where the file is damaged in what it takes to find its blocks */
  static open(path: string, cache: BlockCache, onDamage?: OnDamage): Table {
    const descriptor = openSync(path, 'r');
    try {
      return new Table(path, descriptor, cache, onDamage);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  find(key: Bytes): KeyVersion | undefined {
    const at = this.#blockOf(key);
    if (at === this.#index.length) return undefined;
    const versions = this.#block(at);
    const found = versions[firstAtOrAfter(versions, key)];
    return found !== undefined && compareBytes(found.key, key) === 0 ? found : undefined;
  }

  *scan({ gte, lt, reverse = false }: KeyRange): Generator<KeyVersion> {
    const first = gte === undefined ? 0 : this.#blockOf(gte);
    const last = Math.min(lt === undefined ? Infinity : this.#blockOf(lt), this.#index.length - 1);
    for (let i = 0; i <= last - first; i++) {
      const versions = this.#block(reverse ? last - i : first + i);
      const from = gte === undefined ? 0 : firstAtOrAfter(versions, gte);
      const inside = versions.slice(from, lt === undefined ? undefined : firstAtOrAfter(versions, lt));
      yield* reverse ? inside.reverse() : inside;
    }
  }

  /** Bytes of the blocks before a key; without one, of all. */
  bytesBefore(key: Bytes | undefined): number {
    const at = key === undefined ? this.#index.length : this.#blockOf(key);
    const last = this.#index.at(-1);
    return this.#index[at]?.offset ?? (last === undefined ? 0 : last.offset + last.bytes);
  }

  /** The first block that may hold a key. */
  #blockOf(key: Bytes): number {
    let low = 0;
    let high = this.#index.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareBytes(this.#index[middle]!.last, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #block(at: number): readonly KeyVersion[] {
    const { offset, bytes } = this.#index[at]!;
    const name = `${this.path}:${offset}`;
    const cached = this.cache.get(name);
    if (cached !== undefined) return cached;
    try {
      const versions = [...entriesOf(this.#content(offset, bytes))].map(toVersion);
      this.cache.set(name, versions, bytes);
      return versions;
    } catch (error) {
      const problem = error instanceof CorruptionError ? error : this.#damaged(`has a damaged block at ${offset}`);
      if (this.onDamage === undefined) throw problem;
      this.onDamage(problem);
      this.cache.set(name, [], 0);
      return [];
    }
  }

  #readIndex(offset: number, bytes: number): IndexEntry[] {
    try {
      return [...entriesOf(this.#content(offset, bytes))].map(({ key, value }) => {
        const handle = new ByteCursor(value);
        return { last: key.slice(0, -SUFFIX_BYTES), offset: handle.varint(), bytes: handle.varint() };
      });
    } catch {
      throw this.#damaged('has a damaged index');
    }
  }

  #content(offset: number, bytes: number): Uint8Array {
    const block = this.#read(offset, bytes + TRAILER_BYTES);
    const trailer = new ByteCursor(block, bytes);
    const compression = trailer.u8();
    if (trailer.u32() !== maskedCrc32c(block, 0, bytes + 1)) throw this.#damaged(`has a damaged block at ${offset}`);
    const stored = block.subarray(0, bytes);
    return compression === SNAPPY ? decompressSnappy(stored) : stored;
  }

  #read(offset: number, bytes: number): Uint8Array {
    const into = new Uint8Array(bytes);
    for (let done = 0; done < bytes;) {
      const count = readSync(this.#descriptor, into, done, bytes - done, offset + done);
      if (count === 0) throw this.#damaged('ends too early');
      done += count;
    }
    return into;
  }

  #damaged(what: string): CorruptionError {
    return new CorruptionError('CHECKSUM', `The table ${this.path} ${what}.`, { details: { path: this.path } });
  }
}

/** The entries of a block; behind them stands where keys are written in full. */
function* entriesOf(block: Uint8Array): Generator<{ key: Uint8Array; value: Uint8Array }> {
  const restarts = new ByteCursor(block, block.length - 4).u32();
  const cursor = new ByteCursor(block, 0, block.length - 4 - restarts * 4);
  let key: Uint8Array = new Uint8Array(0);
  while (!cursor.done) {
    const shared = cursor.varint();
    const rest = cursor.varint();
    const valueBytes = cursor.varint();
    const next = new Uint8Array(shared + rest);
    next.set(key.subarray(0, shared));
    next.set(cursor.take(rest), shared);
    key = next;
    yield { key, value: cursor.take(valueBytes) };
  }
}

function toVersion({ key, value }: { key: Uint8Array; value: Uint8Array }): KeyVersion {
  const end = key.length - SUFFIX_BYTES;
  const suffix = new ByteCursor(key, end);
  const type = suffix.u8();
  const low = suffix.u32();
  const sequence = low + (suffix.u8() + suffix.u16() * 256) * 2 ** 32;
  return { key: key.subarray(0, end), sequence, value: type === VALUE_TYPE ? value : undefined };
}

function firstAtOrAfter(versions: readonly KeyVersion[], key: Bytes): number {
  let low = 0;
  let high = versions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(versions[middle]!.key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
