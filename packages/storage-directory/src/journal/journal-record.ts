/**
 * A record of the journal: a batch of puts and deletes. On disk, frozen, numbers little-endian:
 *
 *      u32  checksum: XXH32 of all that follows, seeded with the session
 *      u32  length of the operations in bytes
 *      u32  session: a random number of the writer, which the journal position also contains
 *      f64  number: 1, 2, 3 … within the session
 *      f64  every record up to this number was on the disk when this one was written
 *      operations: u8 (1 put, 2 delete), u16 length of the key, u32 length of the value (0 for a delete), key, value
 */

import type { Bytes, Checksum, WriteOp } from '@quadrille/storage';

export const RECORD_HEADER_BYTES = 28;
/** Offsets in a record at which its session and its number end. */
const SESSION_END = 12;
const NUMBER_END = 20;
const OP_HEADER_BYTES = 7;
const PUT = 1;
const DELETE = 2;

/**
 * An operation of a journal record. Range deletions are excluded, because the journal does not know the keys of a
 * range.
 */
export type PlainOp = Exclude<WriteOp, { type: 'deleteRange' }>;

export interface JournalRecord {
  readonly number: number;
  /** Every record up to this number was on the disk when this one was written. */
  readonly synced: number;
  /** Keys and values are views of the bytes that were read. */
  readonly ops: readonly PlainOp[];
}

/** The size of a batch's record in bytes; undefined if the batch deletes a range and cannot have a record. */
export function recordBytes(ops: readonly WriteOp[]): number | undefined {
  let bytes = RECORD_HEADER_BYTES;
  for (const op of ops) {
    if (op.type === 'deleteRange') return undefined;
    bytes += OP_HEADER_BYTES + op.key.length + (op.type === 'put' ? op.value.length : 0);
  }
  return bytes;
}

export interface EncodedRecord {
  readonly bytes: Bytes;
  readonly ops: readonly PlainOp[];
}

/** Encodes the records of one session. They lie one behind the other in memory that is not used again. */
export class RecordEncoder {
  #memory = new Uint8Array(0);
  #view = new DataView(this.#memory.buffer);
  #used = 0;

  constructor(
    private readonly checksum: Checksum,
    private readonly maxBytes: number,
  ) {}

  /** Encodes a record. `bytes` is its {@link recordBytes}. Keys and values of the result are views of the record. */
  encode(ops: readonly WriteOp[], bytes: number, session: number, number: number, synced: number): EncodedRecord {
    if (this.#used + bytes > this.#memory.length) this.#renew();
    const view = this.#view;
    const start = this.#used;
    view.setUint32(start + 4, bytes - RECORD_HEADER_BYTES, true);
    view.setUint32(start + 8, session, true);
    view.setFloat64(start + 12, number, true);
    view.setFloat64(start + 20, synced, true);
    this.#used += RECORD_HEADER_BYTES;
    const encoded: PlainOp[] = [];
    for (const op of ops) if (op.type !== 'deleteRange') encoded.push(this.#encodeOp(op));
    view.setUint32(start, this.checksum(this.#memory.subarray(start + 4, this.#used), session), true);
    return { bytes: this.#memory.subarray(start, this.#used), ops: encoded };
  }

  #renew(): void {
    this.#memory = new Uint8Array(this.maxBytes);
    this.#view = new DataView(this.#memory.buffer);
    this.#used = 0;
  }

  #encodeOp(op: PlainOp): PlainOp {
    const view = this.#view;
    const memory = this.#memory;
    const head = this.#used;
    const start = head + OP_HEADER_BYTES;
    const end = start + op.key.length;
    view.setUint8(head, op.type === 'put' ? PUT : DELETE);
    view.setUint16(head + 1, op.key.length, true);
    view.setUint32(head + 3, op.type === 'put' ? op.value.length : 0, true);
    memory.set(op.key, start);
    this.#used = end;
    const key = memory.subarray(start, end);
    if (op.type !== 'put') return { type: 'delete', key };
    memory.set(op.value, end);
    this.#used = end + op.value.length;
    return { type: 'put', key, value: memory.subarray(end, this.#used) };
  }
}

/**
 * Finds all intact records of a session in a file, in file order. After a damaged record, or the last one before a
 * crash, the next record may begin at any byte. Skips records of older sessions.
 */
export function findRecords(file: Bytes, session: number, checksum: Checksum): JournalRecord[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const records: JournalRecord[] = [];
  for (let at = 0; at < file.length;) {
    const end = endOfRecord(file, view, at, session, checksum);
    if (end !== undefined) records.push(decodeRecord(file, view, at, end));
    at = end ?? at + 1;
  }
  return records;
}

/** Returns the end of the intact record that begins at `at`; undefined if there is none. */
function endOfRecord(file: Bytes, view: DataView, at: number, session: number, checksum: Checksum): number | undefined {
  if (at + RECORD_HEADER_BYTES > file.length || view.getUint32(at + 8, true) !== session) return undefined;
  const end = at + RECORD_HEADER_BYTES + view.getUint32(at + 4, true);
  if (end > file.length) return undefined;
  return view.getUint32(at, true) === checksum(file.subarray(at + 4, end), session) ? end : undefined;
}

/**
 * Whether a file contains the beginning of an incomplete or damaged record after `last`. An old record whose
 * beginning was overwritten does not count, because its number is lower.
 */
export function hasTornRecord(file: Bytes, session: number, last: number, checksum: Checksum): boolean {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 0; at + SESSION_END <= file.length;) {
    const end = endOfRecord(file, view, at, session, checksum);
    const number = at + NUMBER_END <= file.length ? view.getFloat64(at + NUMBER_END - 8, true) : NaN;
    const isEarlier = Number.isInteger(number) && number > 0 && number <= last;
    const isNamed = number === last + 1 || (view.getUint32(at + SESSION_END - 4, true) === session && !isEarlier);
    if (end === undefined && isNamed) return true;
    at = end ?? at + 1;
  }
  return false;
}

function decodeRecord(file: Bytes, view: DataView, start: number, end: number): JournalRecord {
  const ops: PlainOp[] = [];
  for (let at = start + RECORD_HEADER_BYTES; at < end;) {
    const type = view.getUint8(at);
    const keyEnd = at + OP_HEADER_BYTES + view.getUint16(at + 1, true);
    const valueEnd = keyEnd + view.getUint32(at + 3, true);
    const key = file.subarray(at + OP_HEADER_BYTES, keyEnd);
    ops.push(type === PUT ? { type: 'put', key, value: file.subarray(keyEnd, valueEnd) } : { type: 'delete', key });
    at = valueEnd;
  }
  return { number: view.getFloat64(start + 12, true), synced: view.getFloat64(start + 20, true), ops };
}
