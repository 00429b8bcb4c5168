/**
 * Reads files in LevelDB's log format, which are its logs and its manifest (leveldb/doc/log_format.md). A file
 * consists of blocks of 32 KB. A record is one full fragment, or a first, any number of middle ones, and a last one.
 * No fragment crosses a block boundary.
 */

import { ByteCursor } from './byte-cursor.js';
import { maskedCrc32c } from './crc32c.js';

const BLOCK_BYTES = 32 * 1024;
const HEADER_BYTES = 7;
const FULL = 1;
const FIRST = 2;
/** The type of a last fragment. Middle fragments have type 3. */
const LAST = 4;

export interface LogContent {
  readonly records: readonly Uint8Array[];
  /** End of the last complete record, in bytes. */
  readonly end: number;
  /** Positions of damage before a complete record, in bytes. A torn end of the file does not count. */
  readonly damaged: readonly number[];
  /** Data after the last complete record: a record that was being written, or a damaged one. */
  readonly rest?: {
    readonly at: number;
    /** Whether the fragment has its full length. An interrupted write leaves a shorter one. */
    readonly whole: boolean;
  };
}

interface Fragment {
  readonly type: number;
  readonly payload: Uint8Array;
  readonly end: number;
}

/**
 * Skips damaged data to the end of the block, as LevelDB does. With `thorough`, skips only to the end of the damaged
 * fragment according to its header. Does not search for fragments in between, because a stored value could imitate
 * one.
 */
export function readLogRecords(bytes: Uint8Array, { thorough = false } = {}): LogContent {
  const records: Uint8Array[] = [];
  const damaged: number[] = [];
  let suspects: number[] = [];
  let whole = false;
  let parts: Uint8Array[] | undefined;
  let end = 0;
  const finish = (record: Uint8Array, at: number): void => {
    records.push(record);
    damaged.push(...suspects);
    suspects = [];
    whole = false;
    parts = undefined;
    end = at;
  };
  for (let block = 0; block < bytes.length; block += BLOCK_BYTES) {
    const blockEnd = Math.min(block + BLOCK_BYTES, bytes.length);
    for (let at = block; at + HEADER_BYTES <= blockEnd;) {
      const fragment = readFragment(bytes, at, blockEnd);
      if (fragment === undefined) {
        // Zeros are the unwritten part of a preallocated file.
        if (!isZero(bytes, at, blockEnd)) suspects.push(at);
        parts = undefined;
        const next = endOfDamaged(bytes, at, blockEnd);
        whole ||= next !== undefined;
        if (next === undefined || !thorough) break;
        at = next;
        continue;
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
  const [at = parts === undefined ? undefined : end] = suspects;
  return { records, end, damaged, ...(at !== undefined && { rest: { at, whole } }) };
}

/** The end of a damaged fragment according to its header; undefined if the header is damaged too. */
function endOfDamaged(bytes: Uint8Array, at: number, blockEnd: number): number | undefined {
  const { type, end } = readHeader(bytes, at);
  return type >= FULL && type <= LAST && end <= blockEnd ? end : undefined;
}

function readHeader(bytes: Uint8Array, at: number): { checksum: number; type: number; end: number } {
  const header = new ByteCursor(bytes, at);
  const checksum = header.u32();
  const length = header.u16();
  return { checksum, type: header.u8(), end: at + HEADER_BYTES + length };
}

function readFragment(bytes: Uint8Array, at: number, blockEnd: number): Fragment | undefined {
  const { checksum, type, end } = readHeader(bytes, at);
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
