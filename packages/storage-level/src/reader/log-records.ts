/**
 * The records of a file in LevelDB's log format: its logs and its manifest (leveldb/doc/log_format.md). Blocks of 32 KB; a
 * record is one fragment, or a first, any middle and a last one, and no fragment goes beyond its block.
 */

import { ByteCursor } from './byte-cursor.js';
import { maskedCrc32c } from './crc32c.js';

const BLOCK_BYTES = 32 * 1024;
const HEADER_BYTES = 7;
const FULL = 1;
const FIRST = 2;
/** Between them, 3, stand the middle ones. */
const LAST = 4;

export interface LogContent {
  readonly records: readonly Uint8Array[];
  /** Where the last whole record ends. */
  readonly end: number;
  /** Places, in bytes, where something is damaged before a whole record. The end of a file may be torn: that is none. */
  readonly damaged: readonly number[];
}

interface Fragment {
  readonly type: number;
  readonly payload: Uint8Array;
  readonly end: number;
}

/** What is damaged is passed over up to the end of its block, as LevelDB does. */
export function readLogRecords(bytes: Uint8Array): LogContent {
  const records: Uint8Array[] = [];
  const damaged: number[] = [];
  let suspects: number[] = [];
  let parts: Uint8Array[] | undefined;
  let end = 0;
  const finish = (record: Uint8Array, at: number): void => {
    records.push(record);
    damaged.push(...suspects);
    suspects = [];
    parts = undefined;
    end = at;
  };
  for (let block = 0; block < bytes.length; block += BLOCK_BYTES) {
    const blockEnd = Math.min(block + BLOCK_BYTES, bytes.length);
    for (let at = block; at + HEADER_BYTES <= blockEnd;) {
      const fragment = readFragment(bytes, at, blockEnd);
      if (fragment === undefined) {
        // Zeros are what a file has that was made longer and not written: nothing was there.
        if (!isZero(bytes, at, blockEnd)) suspects.push(at);
        parts = undefined;
        break;
      }
      if (parts !== undefined && (fragment.type === FULL || fragment.type === FIRST)) suspects.push(at);
      if (fragment.type === FULL) finish(fragment.payload, fragment.end);
      else if (fragment.type === FIRST) parts = [fragment.payload];
      else if (parts === undefined) suspects.push(at);
      else {
        parts.push(fragment.payload);
        if (fragment.type === LAST) finish(concatenated(parts), fragment.end);
      }
      at = fragment.end;
    }
  }
  return { records, end, damaged };
}

function readFragment(bytes: Uint8Array, at: number, blockEnd: number): Fragment | undefined {
  const header = new ByteCursor(bytes, at);
  const checksum = header.u32();
  const length = header.u16();
  const type = header.u8();
  const end = at + HEADER_BYTES + length;
  if (end > blockEnd || type < FULL || type > LAST) return undefined;
  if (maskedCrc32c(bytes, at + HEADER_BYTES - 1, end) !== checksum) return undefined;
  return { type, payload: bytes.subarray(at + HEADER_BYTES, end), end };
}

function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] !== 0) return false;
  return true;
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
