/** Appends values to the open file of their stream. */

import { StorageError } from '@quadrille/model';
import type { Checksum } from '@quadrille/storage';
import type { StoredValue } from './blob-codec.js';
import type { BlobFiles } from './blob-files.js';
import { SEALED, type BlobFile, type BlobLedger, type BlobStream } from './blob-ledger.js';
import type { BlobPointer } from './blob-pointer.js';
import { recordBytes, recordHeader } from './blob-record.js';

export interface Appended {
  /** The ledger after the batch with the pointers is written. */
  readonly ledger: BlobLedger;
  /** The pointers, in the order of the values. */
  readonly pointers: readonly BlobPointer[];
}

/** Size of the reused buffer, in bytes. It suffices for most batches and for a step of the collector. */
const KEPT_BYTES = 1024 * 1024;

export class BlobWriter {
  #memory: Uint8Array | undefined;

  constructor(
    private readonly files: BlobFiles,
    private readonly checksum: Checksum,
    /** Size at which a file is sealed, in bytes. */
    private readonly fileBytes: number,
  ) {}

  /** Appends values and syncs them. A pointer must never be stored before its value is on the disk. */
  async append(before: BlobLedger, stream: BlobStream, values: readonly StoredValue[]): Promise<Appended> {
    const bytes = values.reduce((sum, { key, stored }) => sum + recordBytes(key, stored.length), 0);
    const { ledger, number, file } = await this.#fileFor(before, stream, bytes);
    // One buffer for all records: a system call with many pieces took several times as long.
    const records = this.#take(bytes);
    const pointers: BlobPointer[] = [];
    let end = 0;
    for (const { key, form, stored, length } of values) {
      const header = recordHeader(number, key, stored.length, this.checksum);
      records.set(header, end);
      records.set(stored, end + header.length);
      const position = file.bytes + end + header.length;
      pointers.push({ form, file: number, position, stored: stored.length, length });
      end += header.length + stored.length;
    }
    await this.files.write(number, records, file.bytes);
    await this.files.sync(number);
    return { ledger: ledger.with(number, { ...file, bytes: file.bytes + bytes }), pointers };
  }

  /** Returns reusable memory. Only one append runs at a time. */
  #take(bytes: number): Uint8Array {
    if (bytes > KEPT_BYTES) return new Uint8Array(bytes);
    this.#memory ??= new Uint8Array(KEPT_BYTES);
    return this.#memory.subarray(0, bytes);
  }

  async #fileFor(
    ledger: BlobLedger,
    stream: BlobStream,
    bytes: number,
  ): Promise<{ ledger: BlobLedger; number: number; file: BlobFile }> {
    const number = ledger.open(stream);
    const file = number === undefined ? undefined : ledger.files.get(number);
    if (number !== undefined && file !== undefined && (file.bytes === 0 || file.bytes + bytes <= this.fileBytes)) {
      checkLimits(number, bytes);
      return { ledger, number, file };
    }
    const { next } = ledger;
    checkLimits(next, bytes);
    await this.files.create(next);
    const sealed = number === undefined ? ledger : ledger.with(number, { ...file!, state: SEALED });
    return { ledger: sealed, number: next, file: { bytes: 0, dead: 0, state: stream } };
  }
}

/** Greatest number of a file, and greatest size: pointers and the ledger have 32 bits for each of them. */
export const LAST_FILE = 0xffff_fff0;
const MOST_BYTES = 0xffff_ffff;

/** @throws StorageError `STORAGE_LIMIT`; nothing was written */
function checkLimits(file: number, bytes: number): void {
  if (file > LAST_FILE)
    throw new StorageError(
      'STORAGE_LIMIT',
      `there are no numbers left for blob files: the last one is ${LAST_FILE}; restore a backup of the store into a new directory`,
      { details: { limit: LAST_FILE } },
    );
  if (bytes <= MOST_BYTES) return;
  throw new StorageError(
    'STORAGE_LIMIT',
    `a batch has ${bytes} bytes of large values, and a blob file has at most ${MOST_BYTES}: write them in several batches`,
    { details: { limit: MOST_BYTES } },
  );
}
