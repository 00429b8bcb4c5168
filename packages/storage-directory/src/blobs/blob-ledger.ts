/**
 * The ledger: the list of blob files and their dead bytes. The inner driver stores it. Every batch that changes it
 * writes it too, so that both cannot disagree. On disk, frozen, little-endian:
 *
 *      u32  checksum: XXH32 of all that follows, seed 0
 *      u32  next: the number of the next file
 *      for each file:  u32 number, u32 bytes, u32 dead bytes, u8 state: 0 sealed, 1 takes passing values, 2 lasting ones
 */

import { CorruptionError } from '@quadrille/model';
import { MAX_KEY_BYTES, type Bytes, type Checksum } from '@quadrille/storage';

/** A key above every key that the engine accepts. The drivers' own keys come after it. */
export const END_KEY: Bytes = new Uint8Array(MAX_KEY_BYTES + 1).fill(0xff);
/** Longer than every key that the engine accepts, and above all of them. */
export const LEDGER_KEY: Bytes = new Uint8Array(MAX_KEY_BYTES + 2).fill(0xff);

export const SEALED = 0;
/** Values that will be deleted together (passing) and values that stay (lasting) go into separate files. */
export const PASSING = 1;
export const LASTING = 2;
export type BlobStream = typeof PASSING | typeof LASTING;

export interface BlobFile {
  /** Size of the valid part. Bytes after it belong to a failed batch. */
  readonly bytes: number;
  readonly dead: number;
  readonly state: typeof SEALED | BlobStream;
}

const HEADER_BYTES = 8;
const FILE_BYTES = 13;

/** Immutable: a batch makes a new ledger. */
export class BlobLedger {
  constructor(
    readonly next = 1,
    readonly files: ReadonlyMap<number, BlobFile> = new Map(),
  ) {}

  /** The number of the file that takes values of a stream. */
  open(stream: BlobStream): number | undefined {
    for (const [number, { state }] of this.files) if (state === stream) return number;
    return undefined;
  }

  with(number: number, file: BlobFile): BlobLedger {
    return new BlobLedger(Math.max(this.next, number + 1), new Map(this.files).set(number, file));
  }

  without(number: number): BlobLedger {
    const files = new Map(this.files);
    files.delete(number);
    return new BlobLedger(this.next, files);
  }

  /** A copy in which the file has more dead bytes. */
  withDead(number: number, bytes: number): BlobLedger {
    const file = this.files.get(number);
    return file === undefined ? this : this.with(number, { ...file, dead: file.dead + bytes });
  }

  encode(checksum: Checksum): Bytes {
    const bytes = new Uint8Array(HEADER_BYTES + FILE_BYTES * this.files.size);
    const view = new DataView(bytes.buffer);
    view.setUint32(4, this.next, true);
    let at = HEADER_BYTES;
    for (const [number, file] of this.files) {
      view.setUint32(at, number, true);
      view.setUint32(at + 4, file.bytes, true);
      view.setUint32(at + 8, file.dead, true);
      bytes[at + 12] = file.state;
      at += FILE_BYTES;
    }
    view.setUint32(0, checksum(bytes.subarray(4)), true);
    return bytes;
  }

  /** @throws CorruptionError `CHECKSUM` */
  static decode(bytes: Bytes, checksum: Checksum): BlobLedger {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== checksum(bytes.subarray(4))) {
      throw new CorruptionError('CHECKSUM', 'The list of blob files does not match its checksum.');
    }
    const files = new Map<number, BlobFile>();
    for (let at = HEADER_BYTES; at < bytes.length; at += FILE_BYTES) {
      files.set(view.getUint32(at, true), {
        bytes: view.getUint32(at + 4, true),
        dead: view.getUint32(at + 8, true),
        state: bytes[at + 12] as BlobFile['state'],
      });
    }
    return new BlobLedger(view.getUint32(4, true), files);
  }
}
