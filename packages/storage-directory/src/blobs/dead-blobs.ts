/** Finds the values in blob files to which nothing points after a batch. */

import { isInRange, type Bytes, type StorageDriver, type WriteOp } from '@quadrille/storage';
import type { BlobLedger } from './blob-ledger.js';
import { decodePointer, isPointer, type BlobPointer } from './blob-pointer.js';
import { recordBytes } from './blob-record.js';

/** Pointers that the batch itself writes, by their operation. */
export type Placed = ReadonlyMap<WriteOp, BlobPointer>;

type KeyOp = Exclude<WriteOp, { type: 'deleteRange' }>;

/**
 * The ledger with the bytes that the batch leaves dead. Each pointer counts once. Unless `closely` is true, it
 * ignores values that small values replace. The collector finds those when it reads their file.
 */
export async function withDeadBlobs(
  ledger: BlobLedger,
  ops: readonly WriteOp[],
  placed: Placed,
  closely: boolean,
  storage: StorageDriver,
): Promise<BlobLedger> {
  const looked = (op: WriteOp): op is KeyOp =>
    op.type !== 'deleteRange' && (closely || op.type === 'delete' || placed.has(op));
  const batch = new BatchBlobs(storage);
  await batch.lookUp(ops.filter(looked).map(({ key }) => key));
  for (const op of ops) {
    if (op.type === 'deleteRange') await batch.deleteRange(op);
    else batch.set(op.key, placed.get(op));
  }
  let result = ledger;
  for (const [file, bytes] of batch.dead) result = result.withDead(file, bytes);
  return result;
}

class BatchBlobs {
  /** The pointers of keys after the operations so far. */
  readonly #pointers = new Map<string, { key: Bytes; pointer: BlobPointer | undefined }>();
  /** Dead bytes by file. */
  readonly dead = new Map<number, number>();

  constructor(private readonly storage: StorageDriver) {}

  async lookUp(keys: Bytes[]): Promise<void> {
    // Nearly all keys are new. A synchronous storage finds that out faster than an asynchronous call would begin.
    const { storage } = this;
    const stored = storage.capabilities.getSync
      ? keys.map((key) => storage.getSync!(key))
      : await storage.getMany(keys);
    for (const [i, key] of keys.entries()) {
      const value = stored[i];
      const pointer = value !== undefined && isPointer(value) ? decodePointer(value) : undefined;
      this.#pointers.set(nameOf(key), { key, pointer });
    }
  }

  /** Sets the pointer of a key. An unknown key without a pointer stays unknown. */
  set(key: Bytes, pointer: BlobPointer | undefined): void {
    const name = nameOf(key);
    const known = this.#pointers.get(name);
    if (known === undefined && pointer === undefined) return;
    this.#bury(key, known?.pointer);
    this.#pointers.set(name, { key, pointer });
  }

  async deleteRange(range: { readonly gte: Bytes; readonly lt: Bytes }): Promise<void> {
    for (const { key } of this.#pointers.values()) if (isInRange(key, range)) this.set(key, undefined);
    for await (const chunk of this.storage.range(range, { read: 'entries' })) {
      for (const { key, value } of chunk) {
        if (!isPointer(value) || this.#pointers.has(nameOf(key))) continue;
        this.#bury(key, decodePointer(value));
        this.#pointers.set(nameOf(key), { key, pointer: undefined });
      }
    }
  }

  #bury(key: Bytes, pointer: BlobPointer | undefined): void {
    if (pointer === undefined) return;
    const { file, stored } = pointer;
    this.dead.set(file, (this.dead.get(file) ?? 0) + recordBytes(key, stored));
  }
}

const nameOf = (key: Bytes): string => Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
