/**
 * One record of the journal: a batch of puts and deletes. On disk, frozen, numbers little-endian:
 *
 *     u32  checksum: XXH32 of all that follows, seeded with the session
 *     u32  length of the operations in bytes
 *     u32  session: whoever wrote it, a random number that the storage below names
 *     f64  number: 1, 2, 3 … within the session
 *     f64  every record up to this number was on the disk when this one was written
 *     operations: u8 (1 put, 2 delete), u16 length of the key, u32 length of the value (0 for a delete), key, value
 */

import type { Bytes, Checksum, WriteOp } from '@quadrille/storage';

export const RECORD_HEADER_BYTES = 28;
const OP_HEADER_BYTES = 7;
const PUT = 1;
const DELETE = 2;

/** What a journal can hold: the keys of a range are not known to it. */
export type PlainOp = Exclude<WriteOp, { type: 'deleteRange' }>;

export interface JournalRecord {
  readonly number: number;
  /** Every record up to this number was on the disk when this one was written. */
  readonly synced: number;
  /** Views of the bytes that were read. */
  readonly ops: readonly PlainOp[];
}

/** Bytes of the record of a batch; undefined if it cannot have one, because it deletes a range. */
export function recordBytes(ops: readonly WriteOp[]): number | undefined {
  let bytes = RECORD_HEADER_BYTES;
  for (const op of ops) {
    if (op.type === 'deleteRange') return undefined;
    bytes += OP_HEADER_BYTES + op.key.length + (op.type === 'put' ? op.value.length : 0);
  }
  return bytes;
}

/** Writes records of one session, each into the same memory. */
export class RecordEncoder {
  readonly #memory: Uint8Array;
  readonly #view: DataView;

  constructor(
    private readonly checksum: Checksum,
    maxBytes: number,
  ) {
    this.#memory = new Uint8Array(maxBytes);
    this.#view = new DataView(this.#memory.buffer);
  }

  /** The record, until the next one is encoded. `bytes` is its {@link recordBytes}. */
  encode(ops: readonly WriteOp[], bytes: number, session: number, number: number, synced: number): Bytes {
    const view = this.#view;
    view.setUint32(4, bytes - RECORD_HEADER_BYTES, true);
    view.setUint32(8, session, true);
    view.setFloat64(12, number, true);
    view.setFloat64(20, synced, true);
    let at = RECORD_HEADER_BYTES;
    for (const op of ops) if (op.type !== 'deleteRange') at = this.#encodeOp(op, at);
    const record = this.#memory.subarray(0, at);
    view.setUint32(0, this.checksum(record.subarray(4), session), true);
    return record;
  }

  #encodeOp(op: PlainOp, at: number): number {
    const { key } = op;
    const view = this.#view;
    view.setUint8(at, op.type === 'put' ? PUT : DELETE);
    view.setUint16(at + 1, key.length, true);
    view.setUint32(at + 3, op.type === 'put' ? op.value.length : 0, true);
    const start = at + OP_HEADER_BYTES;
    this.#memory.set(key, start);
    if (op.type !== 'put') return start + key.length;
    this.#memory.set(op.value, start + key.length);
    return start + key.length + op.value.length;
  }
}

/**
 * Every whole record of the session that stands anywhere in a file, in the order of the file. Behind a record that is
 * damaged, or the last one before a crash, the next may begin at any byte; what older sessions left there is passed over.
 */
export function findRecords(file: Bytes, session: number, checksum: Checksum): JournalRecord[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const records: JournalRecord[] = [];
  for (let at = 0; at + RECORD_HEADER_BYTES <= file.length;) {
    const end = at + RECORD_HEADER_BYTES + view.getUint32(at + 4, true);
    const whole =
      view.getUint32(at + 8, true) === session &&
      end <= file.length &&
      view.getUint32(at, true) === checksum(file.subarray(at + 4, end), session);
    if (whole) records.push(decodeRecord(file, view, at, end));
    at = whole ? end : at + 1;
  }
  return records;
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
