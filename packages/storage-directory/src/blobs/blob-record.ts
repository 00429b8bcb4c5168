/**
 * The content of a blob file: records one after the other, from the first byte on. A record contains the key of its
 * value. So a file can be collected without reading every key of the store. On disk, frozen, little-endian:
 *
 *      u32  checksum: XXH32 of the rest of the header and of the key, seeded with the number of the file
 *      u16  length of the key
 *      u32  length of the value as it is stored
 *      key, value
 */

import { CorruptionError } from '@quadrille/model';
import type { Bytes, Checksum } from '@quadrille/storage';

const HEADER_BYTES = 10;

export interface BlobRecord {
  readonly key: Bytes;
  /** Position of the value in the file. */
  readonly position: number;
  readonly stored: number;
}

export const recordBytes = (key: Bytes, stored: number): number => HEADER_BYTES + key.length + stored;

/** Encodes the part of a record before the value. */
export function recordHeader(file: number, key: Bytes, stored: number, checksum: Checksum): Bytes {
  const bytes = new Uint8Array(HEADER_BYTES + key.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(4, key.length, true);
  view.setUint32(6, stored, true);
  bytes.set(key, HEADER_BYTES);
  view.setUint32(0, checksum(bytes.subarray(4), file), true);
  return bytes;
}

/**
 * Decodes the records that begin in `bytes`, which were read at `start`. `end` is the position of the first
 * incomplete record.
 * @throws CorruptionError `CHECKSUM`
 */
export function readRecords(
  file: number,
  bytes: Bytes,
  start: number,
  checksum: Checksum,
): { records: BlobRecord[]; end: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: BlobRecord[] = [];
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length) {
    const keyEnd = at + HEADER_BYTES + view.getUint16(at + 4, true);
    if (keyEnd > bytes.length) break;
    if (view.getUint32(at, true) !== checksum(bytes.subarray(at + 4, keyEnd), file)) throw damaged(file, start + at);
    const stored = view.getUint32(at + 6, true);
    if (keyEnd + stored > bytes.length) break;
    records.push({ key: bytes.subarray(at + HEADER_BYTES, keyEnd), position: start + keyEnd, stored });
    at = keyEnd + stored;
  }
  return { records, end: start + at };
}

const damaged = (file: number, position: number): CorruptionError =>
  new CorruptionError('CHECKSUM', `The record at ${position} of blob file ${file} does not match its checksum.`);
