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

export class BlobWriter {
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
    const pieces: Uint8Array[] = [];
    let position = file.bytes;
    const pointers = values.map(({ key, form, stored, length }): BlobPointer => {
      const header = recordHeader(number, key, stored.length, this.checksum);
      pieces.push(header, stored);
      const pointer = { form, file: number, position: position + header.length, stored: stored.length, length };
      position += header.length + stored.length;
      return pointer;
    });
    await this.files.write(number, pieces, file.bytes);
    await this.files.sync(number);
    return { ledger: ledger.with(number, { ...file, bytes: position }), pointers };
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
