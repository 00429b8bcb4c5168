/**
 * Reads a table file of LevelDB (leveldb/doc/table_format.md): blocks of entries with prefix-compressed keys, an
 * index of the blocks, and a footer. Entries are sorted by key; versions of one key are sorted from the newest to the
 * oldest.
 */

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { CorruptionError } from '@quadrille/model';
import { compareBytes, type Bytes, type KeyRange, type OnDamage } from '@quadrille/storage';
import { BlockCache } from './block-cache.js';
import { ByteCursor } from './byte-cursor.js';
import { maskedCrc32c } from './crc32c.js';
import { VALUE_TYPE, type KeyVersion, type VersionSource } from './key-version.js';
import { decompressSnappy } from './snappy.js';

const FOOTER_BYTES = 48;
const MAGIC = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb] as const;
/** Size of a block's trailer: the kind of compression and a checksum. */
const TRAILER_BYTES = 5;
const SNAPPY = 1;
/** Size of the suffix of a user key: type and sequence number. */
const SUFFIX_BYTES = 8;

interface IndexEntry {
  /** An upper bound of the block's keys. */
  readonly last: Bytes;
  readonly offset: number;
  readonly bytes: number;
}

export interface TableOptions {
  /** A lower bound of the table's keys, if it is known. */
  readonly smallest?: Bytes | undefined;
  /** Called with damaged blocks that a scan skips. Without it, the scan throws. */
  readonly onDamage?: OnDamage | undefined;
}

const NOTHING: Bytes = new Uint8Array(0);

export class Table implements VersionSource {
  readonly #index: readonly IndexEntry[];
  /** Blocks whose damage was reported. */
  readonly #damaged = new Set<number>();

  /** @throws CorruptionError `CHECKSUM` if the footer or index is damaged */
  constructor(
    private readonly path: string,
    private readonly cache: BlockCache,
    private readonly options: TableOptions = {},
  ) {
    const { size } = statSync(path);
    const footer = size < FOOTER_BYTES ? new Uint8Array(FOOTER_BYTES) : this.#read(size - FOOTER_BYTES, FOOTER_BYTES);
    if (!MAGIC.every((byte, i) => footer[FOOTER_BYTES - MAGIC.length + i] === byte))
      throw this.#damage('has no footer');
    const handles = new ByteCursor(footer);
    // The handle of the meta index comes first and is skipped.
    handles.varint();
    handles.varint();
    this.#index = this.#readIndex(handles.varint(), handles.varint());
  }

  /** A lower bound of the table's keys; empty if it is unknown. */
  get smallest(): Bytes {
    return this.#index.length === 0 ? NOTHING : (this.#blockToScan(0)[0]?.key ?? NOTHING);
  }

  /** An upper bound of the table's keys. */
  get largest(): Bytes {
    return this.#index.at(-1)?.last ?? NOTHING;
  }

  /** @throws CorruptionError `CHECKSUM` if the block that could contain the key is damaged */
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
      const versions = this.#blockToScan(reverse ? last - i : first + i);
      const from = gte === undefined ? 0 : firstAtOrAfter(versions, gte);
      const inside = versions.slice(from, lt === undefined ? undefined : firstAtOrAfter(versions, lt));
      yield* reverse ? inside.reverse() : inside;
    }
  }

  /** Size of the blocks before a key, in bytes; without a key, of all blocks. */
  bytesBefore(key: Bytes | undefined): number {
    const at = key === undefined ? this.#index.length : this.#blockOf(key);
    const last = this.#index.at(-1);
    return this.#index[at]?.offset ?? (last === undefined ? 0 : last.offset + last.bytes);
  }

  /** The first block that may contain a key. */
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

  #blockToScan(at: number): readonly KeyVersion[] {
    try {
      return this.#block(at);
    } catch (error) {
      const { onDamage, smallest = NOTHING } = this.options;
      if (onDamage === undefined || !(error instanceof CorruptionError)) throw error;
      const missing = { from: this.#index[at - 1]?.last ?? smallest, to: this.#index[at]!.last };
      if (!this.#damaged.has(at)) onDamage({ message: error.message, missing });
      this.#damaged.add(at);
      return [];
    }
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
      throw error instanceof CorruptionError ? error : this.#damagedBlock(offset, error);
    }
  }

  #readIndex(offset: number, bytes: number): IndexEntry[] {
    try {
      return [...entriesOf(this.#content(offset, bytes))].map(({ key, value }) => {
        const handle = new ByteCursor(value);
        return { last: key.slice(0, -SUFFIX_BYTES), offset: handle.varint(), bytes: handle.varint() };
      });
    } catch {
      throw this.#damage('has a damaged index');
    }
  }

  #content(offset: number, bytes: number): Uint8Array {
    const block = this.#read(offset, bytes + TRAILER_BYTES);
    const trailer = new ByteCursor(block, bytes);
    const compression = trailer.u8();
    if (trailer.u32() !== maskedCrc32c(block, 0, bytes + 1)) throw this.#damagedBlock(offset);
    const stored = block.subarray(0, bytes);
    return compression === SNAPPY ? decompressSnappy(stored) : stored;
  }

  /** Opens the file for each read: a large store has more tables than a process may have open files. */
  #read(offset: number, bytes: number): Uint8Array {
    const into = new Uint8Array(bytes);
    const descriptor = openSync(this.path, 'r');
    try {
      for (let done = 0; done < bytes;) {
        const count = readSync(descriptor, into, done, bytes - done, offset + done);
        if (count === 0) throw this.#damage('ends too early');
        done += count;
      }
    } finally {
      closeSync(descriptor);
    }
    return into;
  }

  #damagedBlock(offset: number, cause?: unknown): CorruptionError {
    return this.#damage(`has a damaged block at ${offset}`, cause);
  }

  #damage(what: string, cause?: unknown): CorruptionError {
    const { path } = this;
    return new CorruptionError('CHECKSUM', `The table ${path} ${what}.`, { cause, details: { path } });
  }
}

/** The entries of a block. The restart points at the end of the block are ignored. */
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
