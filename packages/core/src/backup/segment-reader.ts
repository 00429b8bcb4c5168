/** Reads segments of a backup, whose bytes may be damaged or made by somebody else. */
import { compareBytes, MAX_KEY_BYTES, MAX_VALUE_BYTES } from '@quadrille/storage';
import type { Bytes } from '@quadrille/storage';
import { ByteReader, equalBytes } from '../format/byte-codec.js';
import { damagedBackup } from './errors.js';
import { RECORD_HEAD_BYTES, SEGMENT_END, SEGMENT_MAGIC, TRAILER_BYTES } from './segment-writer.js';

/** The keys of a segment in order, without gaps in one array. */
export interface SegmentIndex {
  readonly count: number;
  readonly keys: Bytes;
  /** Key i lies from `starts[i]` to `starts[i + 1]`. */
  readonly starts: Uint32Array;
  /** Bytes of each value. */
  readonly valueBytes: Uint32Array;
}

export const keyAt = ({ keys, starts }: SegmentIndex, at: number): Bytes => keys.subarray(starts[at], starts[at + 1]);

/** Bytes of a record in its segment. */
export const recordBytes = ({ starts, valueBytes }: SegmentIndex, at: number): number =>
  RECORD_HEAD_BYTES + starts[at + 1]! - starts[at]! + valueBytes[at]!;

/**
 * Decodes the index at the end of a segment. `bytes` are those of the index with the trailer.
 * @throws CorruptionError `BACKUP_DAMAGED`
 */
export function decodeIndex(bytes: Bytes, name: string): SegmentIndex {
  const { records } = readTrailer(bytes, name);
  const end = bytes.length - TRAILER_BYTES;
  // Each entry has at least three bytes and a key of one byte, so a number that lies asks for no more memory than that.
  if (records * 4 > end) throw damagedBackup(`the index of ${name} has fewer entries than it says`);
  const starts = new Uint32Array(records + 1);
  const valueBytes = new Uint32Array(records);
  let keys = new Uint8Array(Math.max(256, end * 2));
  const reader = new ByteReader(bytes.subarray(0, end));
  try {
    for (let i = 0, last = 0; i < records; i++) {
      const shared = reader.varint();
      const rest = reader.bytes(reader.varint());
      const start = starts[i]!;
      const length = shared + rest.length;
      if (shared > start - last || length === 0 || length > MAX_KEY_BYTES) throw new RangeError('a key');
      if (start + length > keys.length) {
        const grown = new Uint8Array(keys.length * 2 + length);
        grown.set(keys);
        keys = grown;
      }
      keys.copyWithin(start, last, last + shared);
      keys.set(rest, start + shared);
      starts[i + 1] = start + length;
      const size = reader.varint();
      if (size > MAX_VALUE_BYTES) throw new RangeError('a value');
      valueBytes[i] = size;
      if (i > 0 && compareBytes(keys.subarray(last, start), keys.subarray(start, start + length)) >= 0)
        throw new RangeError('the sequence');
      last = start;
    }
    if (reader.remaining > 0) throw new RangeError('its length');
  } catch (cause) {
    throw damagedBackup(`the index of ${name} cannot be read`, { cause });
  }
  return { count: records, keys, starts, valueBytes };
}

function readTrailer(bytes: Bytes, name: string): { records: number; position: number } {
  const end = bytes.length - TRAILER_BYTES;
  if (end < 0 || !equalBytes(bytes.subarray(end + 8), SEGMENT_END))
    throw damagedBackup(`${name} does not end as a segment does`);
  const view = new DataView(bytes.buffer, bytes.byteOffset + end, 8);
  return { records: view.getUint32(0, true), position: view.getUint32(4, true) };
}

/** One record of a segment. */
export interface SegmentRecord {
  /** Number of the record in its segment, from 0. */
  readonly at: number;
  /** The key. */
  readonly key: Bytes;
  /** The value. */
  readonly value: Bytes;
}

/**
 * The records of a segment, in portions. `chunks` are the bytes of the segment. Arrays are views of them and stay
 * valid. At its end it has checked that the index names the same keys.
 * @throws CorruptionError `BACKUP_DAMAGED`
 */
export async function* segmentRecords(
  chunks: AsyncIterable<Bytes>,
  name: string,
): AsyncGenerator<readonly SegmentRecord[], void, undefined> {
  let rest: Bytes = new Uint8Array(0);
  let at = 0;
  let position = 0;
  let state: 'magic' | 'records' | 'index' = 'magic';
  const seen = new SeenKeys();
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : joined(rest, chunk);
    if (state === 'magic' && rest.length >= SEGMENT_MAGIC.length) {
      if (!equalBytes(rest.subarray(0, SEGMENT_MAGIC.length), SEGMENT_MAGIC))
        throw damagedBackup(`${name} does not begin as a segment does`);
      rest = rest.subarray(SEGMENT_MAGIC.length);
      position = SEGMENT_MAGIC.length;
      state = 'records';
    }
    if (state !== 'records') continue;
    const { records, used, ended } = readRecords(rest, at, name);
    at += records.length;
    position += used;
    rest = rest.subarray(used);
    if (ended) state = 'index';
    for (const record of records) seen.add(record);
    if (records.length > 0) yield records;
  }
  if (state !== 'index') throw damagedBackup(`${name} is cut off`);
  seen.check(rest, position, name);
}

/** The keys and sizes that were read, to be compared with the index. */
class SeenKeys {
  #count = 0;
  /** A checksum of all keys and sizes in their sequence. */
  #sum = 0;

  add({ key, value }: { readonly key: Bytes; readonly value: { readonly length: number } }): void {
    this.#count++;
    let sum = Math.imul(this.#sum ^ value.length, 0x0100_0193);
    for (let i = 0; i < key.length; i++) sum = Math.imul(sum ^ key[i]!, 0x0100_0193);
    this.#sum = sum ^ (sum >>> 15);
  }

  check(bytes: Bytes, position: number, name: string): void {
    const index = decodeIndex(bytes, name);
    const other = new SeenKeys();
    for (let i = 0; i < index.count; i++) other.add({ key: keyAt(index, i), value: { length: index.valueBytes[i]! } });
    const { position: said } = readTrailer(bytes, name);
    if (said !== position || other.#count !== this.#count || other.#sum !== this.#sum)
      throw damagedBackup(`the index of ${name} does not name its records`);
  }
}

// Reads the whole records at the beginning of `bytes`. `ended`: the mark of the last record was read too.
function readRecords(
  bytes: Bytes,
  first: number,
  name: string,
): { records: SegmentRecord[]; used: number; ended: boolean } {
  const records: SegmentRecord[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let used = 0;
  while (used + 2 <= bytes.length) {
    const keyBytes = view.getUint16(used, true);
    if (keyBytes === 0) return { records, used: used + 2, ended: true };
    if (used + RECORD_HEAD_BYTES > bytes.length) break;
    const valueBytes = view.getUint32(used + 2, true);
    if (keyBytes > MAX_KEY_BYTES || valueBytes > MAX_VALUE_BYTES)
      throw damagedBackup(`${name} has a record that is too long`);
    const start = used + RECORD_HEAD_BYTES;
    const end = start + keyBytes + valueBytes;
    if (end > bytes.length) break;
    const key = plain(bytes, start, keyBytes);
    records.push({ at: first + records.length, key, value: plain(bytes, start + keyBytes, valueBytes) });
    used = end;
  }
  return { records, used, ended: false };
}

// Of a Buffer, `subarray` would return a Buffer, whose `slice` behaves differently.
const plain = (bytes: Bytes, start: number, length: number): Bytes =>
  new Uint8Array(bytes.buffer, bytes.byteOffset + start, length);

function joined(a: Bytes, b: Bytes): Bytes {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
