/** The ledger in the inner driver, and the writes that change it. */

import { StorageError } from '@quadrille/model';
import type { Checksum, StorageDriver, WriteOp, WriteOptions, WriteOutcome } from '@quadrille/storage';
import type { BlobFiles } from './blob-files.js';
import { BlobLedger, LEDGER_KEY } from './blob-ledger.js';

export class BlobState {
  #ledger = new BlobLedger();
  /** Number of the first file that was made since the ledger was read. */
  #firstOwn = 0;
  /**
   * Set after a write failed but may have been applied. Until {@link read}, it is unknown which bytes of the files
   * are used.
   */
  #failure: Error | undefined;
  /** By file: the size up to which readers may still read a file that the ledger has shortened. */
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
    this.#firstOwn = this.#ledger.next;
    this.#failure = undefined;
  }

  /**
   * Whether the dead bytes of a file are dead for certain: all batches since it was made were applied one after the other. In other files a
   * power failure may have taken a batch and left one after it, with its ledger.
   */
  countsExactly(file: number): boolean {
    return file >= this.#firstOwn;
  }

  /** @throws the error of an earlier failed write */
  assertWritable(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Writes a batch together with the ledger, if it has changed. */
  async write(ops: readonly WriteOp[], ledger: BlobLedger, options: WriteOptions): Promise<WriteOutcome> {
    this.assertWritable();
    if (ledger === this.#ledger) return this.storage.write(ops, options);
    const value = ledger.encode(this.checksum);
    this.#failure = new StorageError('STORAGE_IO', 'A write to the blob files was interrupted.');
    const outcome = await this.storage.write([...ops, { type: 'put', key: LEDGER_KEY, value }], options);
    if (outcome === 'unknown') return outcome;
    this.#failure = undefined;
    if (outcome === 'ok') this.#ledger = ledger;
    return outcome;
  }

  /** Like {@link write}, but durable, and throws for every outcome except `ok`. */
  async commit(ops: readonly WriteOp[], ledger: BlobLedger): Promise<void> {
    const outcome = await this.write(ops, ledger, { durable: true, frees: true });
    if (outcome !== 'ok')
      throw new StorageError('STORAGE_IO', `The storage answered "${outcome}" to a write of blob files`);
  }

  /** Removes the parts of files that belong to no written batch. The caller holds the write turn. */
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
