/** Appends values to the file of their stream. */

import type { Checksum } from '@quadrille/storage';
import type { StoredValue } from './blob-codec.js';
import type { BlobFiles } from './blob-files.js';
import { SEALED, type BlobFile, type BlobLedger, type BlobStream } from './blob-ledger.js';
import type { BlobPointer } from './blob-pointer.js';
import { recordBytes, recordHeader } from './blob-record.js';

export interface Appended {
  /** As it is once a batch that holds the pointers is written. */
  readonly ledger: BlobLedger;
  /** In the order of the values. */
  readonly pointers: readonly BlobPointer[];
}

/** Of most batches; a step of collecting has as much. */
const KEPT_BYTES = 1024 * 1024;

export class BlobWriter {
  #memory: Uint8Array | undefined;

  constructor(
    private readonly files: BlobFiles,
    private readonly checksum: Checksum,
    /** A file with so many bytes is sealed. */
    private readonly fileBytes: number,
  ) {}

  /** They are on the disk when it answers: no pointer may be there that its value did not reach before. */
  async append(before: BlobLedger, stream: BlobStream, values: readonly StoredValue[]): Promise<Appended> {
    const bytes = values.reduce((sum, { key, stored }) => sum + recordBytes(key, stored.length), 0);
    const { ledger, number, file } = await this.#fileFor(before, stream, bytes);
    // One piece: a call with many of them took the system several times as long.
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

  /** Memory that is used again: there is one append at a time. */
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
      return { ledger, number, file };
    }
    const { next } = ledger;
    await this.files.create(next);
    const sealed = number === undefined ? ledger : ledger.with(number, { ...file!, state: SEALED });
    return { ledger: sealed, number: next, file: { bytes: 0, dead: 0, state: stream } };
  }
}
