/** What stands in the storage below beside the pointers: the ledger, and how it changes. */

import { StorageError } from '@quadrille/model';
import type { Checksum, StorageDriver, WriteOp, WriteOptions, WriteOutcome } from '@quadrille/storage';
import type { BlobFiles } from './blob-files.js';
import { BlobLedger, LEDGER_KEY } from './blob-ledger.js';

export class BlobState {
  #ledger = new BlobLedger();
  /** A write failed, and may have been done all the same: nobody knows which bytes of the files are taken until {@link read}. */
  #failure: Error | undefined;
  /** Ends of files that the ledger has cut off, and that somebody may still read. */
  readonly readUpTo = new Map<number, number>();

  constructor(
    readonly storage: StorageDriver,
    private readonly checksum: Checksum,
  ) {}

  get ledger(): BlobLedger {
    return this.#ledger;
  }

  /** @throws CorruptionError `CHECKSUM` */
  async read(): Promise<void> {
    const stored = await this.storage.get(LEDGER_KEY);
    this.#ledger = stored === undefined ? new BlobLedger() : BlobLedger.decode(stored, this.checksum);
    this.#failure = undefined;
  }

  /** @throws what made an earlier write fail */
  assertWritable(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Writes a batch and, where it is another one then, the ledger. */
  async write(ops: readonly WriteOp[], ledger: BlobLedger, options: WriteOptions): Promise<WriteOutcome> {
    this.assertWritable();
    if (ledger === this.#ledger) return this.storage.write(ops, options);
    const value = ledger.encode(this.checksum);
    this.#failure = new StorageError('STORAGE_IO', 'A write to blob files did not come to its end.');
    const outcome = await this.storage.write([...ops, { type: 'put', key: LEDGER_KEY, value }], options);
    if (outcome === 'unknown') return outcome;
    this.#failure = undefined;
    if (outcome === 'ok') this.#ledger = ledger;
    return outcome;
  }

  /** As {@link write}, durable, by nobody who could make anything of another outcome. */
  async commit(ops: readonly WriteOp[], ledger: BlobLedger): Promise<void> {
    const outcome = await this.write(ops, ledger, { durable: true, frees: true });
    if (outcome !== 'ok') throw new StorageError('STORAGE_IO', `A write of blobs ended as ${outcome}`);
  }

  /** Removes what stands in files and belongs to no batch that was written. In the turn of who writes. */
  async giveBack(files: BlobFiles): Promise<void> {
    for (const [number, present] of await files.list()) {
      const bytes = this.#ledger.files.get(number)?.bytes;
      if (bytes === undefined) {
        await files.remove(number);
        files.forget(number);
      } else if (present > Math.max(bytes, this.readUpTo.get(number) ?? 0)) {
        await files.truncate(number, bytes);
      }
    }
  }
}
