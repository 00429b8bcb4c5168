/**
 * The position up to which the journal's content is in the inner driver. The inner driver stores it in every batch
 * that it gets from the journal, so that both cannot disagree. On disk, frozen, numbers little-endian:
 *
 *      u32  checksum: XXH32 of all that follows, seed 0
 *      u32  session
 *      f64  number: the records of the session up to this number are in the inner driver
 *      boot id of the machine at the time of the write, as UTF-8; empty if it is unknown
 */

import { CorruptionError } from '@quadrille/model';
import { MAX_KEY_BYTES, type Bytes, type Checksum } from '@quadrille/storage';

/** Longer than every key that the engine accepts, and above all of them. */
export const POSITION_KEY: Bytes = new Uint8Array(MAX_KEY_BYTES + 1).fill(0xff);
const HEADER_BYTES = 16;

export interface JournalPosition {
  readonly session: number;
  readonly number: number;
  readonly boot: string;
}

export function encodePosition({ session, number, boot }: JournalPosition, checksum: Checksum): Bytes {
  const text = new TextEncoder().encode(boot);
  const bytes = new Uint8Array(HEADER_BYTES + text.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, session, true);
  view.setFloat64(8, number, true);
  bytes.set(text, HEADER_BYTES);
  view.setUint32(0, checksum(bytes.subarray(4)), true);
  return bytes;
}

/** @throws CorruptionError `CHECKSUM` */
export function decodePosition(bytes: Bytes, checksum: Checksum): JournalPosition {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== checksum(bytes.subarray(4))) {
    throw new CorruptionError('CHECKSUM', 'The position of the journal does not match its checksum.');
  }
  const boot = new TextDecoder().decode(bytes.subarray(HEADER_BYTES));
  return { session: view.getUint32(4, true), number: view.getFloat64(8, true), boot };
}
