/** Entries as objects: `log/0000000000000042`. */

import { CorruptionError } from '@quadrille/model';
import type { LogEntry } from '@quadrille/storage-shared';
import type { Bytes } from '@quadrille/storage';

/** An entry, with the id of the one before it. */
export interface ChainedEntry extends LogEntry {
  readonly previous: string | undefined;
}

/** `QDE1`, id, id of the entry before (zeros: none), epoch. */
export const HEAD_BYTES = 40;
const MAGIC = 0x51444531;
const NO_ID = '00000000-0000-0000-0000-000000000000';

export const logFolder = (log: number): string => `${log}/log/`;
export const entryKey = (log: number, position: number): string => logFolder(log) + String(position).padStart(16, '0');
/** The position of a key; NaN if it is none. */
export const positionOf = (log: number, key: string): number => {
  const name = key.slice(logFolder(log).length);
  return /^\d{16}$/.test(name) ? Number(name) : NaN;
};

export function encodeEntry({ id, previous = NO_ID, epoch, body }: ChainedEntry): Bytes {
  const bytes = new Uint8Array(HEAD_BYTES + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  bytes.set(uuidBytes(id), 4);
  bytes.set(uuidBytes(previous), 20);
  view.setUint32(36, epoch);
  bytes.set(body, HEAD_BYTES);
  return bytes;
}

/** @throws CorruptionError `LOG_BROKEN` */
export function decodeEntry(log: number, position: number, bytes: Bytes): ChainedEntry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEAD_BYTES || view.getUint32(0) !== MAGIC) {
    throw new CorruptionError('LOG_BROKEN', `The object ${entryKey(log, position)} is no entry of a log.`);
  }
  const previous = uuidText(bytes.subarray(20, 36));
  return {
    position,
    id: uuidText(bytes.subarray(4, 20)),
    previous: previous === NO_ID ? undefined : previous,
    epoch: view.getUint32(36),
    body: bytes.subarray(HEAD_BYTES),
  };
}

const uuidBytes = (id: string): Bytes => Uint8Array.from(Buffer.from(id.replaceAll('-', ''), 'hex'));

function uuidText(bytes: Bytes): string {
  const hex = Buffer.from(bytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
