/**
 * Replaces the folder of a backend by a copy of its entries. Databases keep deleted and replaced values in their files for a time that
 * nobody knows. A new database has none of them.
 */

import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Mutex } from '@quadrille/model';
import {
  compareBytes,
  type Bytes,
  type PurgePauses,
  type StorageDriver,
  type WriteOp,
  type WriteOutcome,
} from '@quadrille/storage';
import { syncDirectory } from './files.js';

/** Entries are copied in batches of about this size, in bytes. Writes wait for one of them at most. */
const BATCH_BYTES = 1024 * 1024;

interface Copy extends Pick<StorageDriver, 'write' | 'close'> {
  create(): Promise<void>;
  settle(): Promise<void>;
}

interface Exchanged extends Pick<StorageDriver, 'range' | 'open' | 'close'> {
  /** The folder of its files. */
  readonly path: string;
  /** Makes a driver over files in another folder, which does not exist yet. */
  copyTo(path: string): Copy;
}

interface Copying {
  readonly copy: Copy;
  /** The copy has all keys below this one; `undefined`: all keys. */
  next: Bytes | undefined;
  bytes: number;
  /** Why the copy cannot take the folder's place. */
  failure: unknown;
}

const copyPath = (path: string): string => `${path}.copy`;
const oldPath = (path: string): string => `${path}.old`;

/** Copies the entries of a driver piece by piece. Writes between the pieces go to the copy, too, as far as it has their keys. */
export class FolderExchange {
  readonly #turn = new Mutex();
  #copying: Copying | undefined;

  /** Runs a write of the driver. All its writes come here. */
  write(ops: readonly WriteOp[], write: () => Promise<WriteOutcome>): Promise<WriteOutcome> {
    return this.#turn.run(async () => {
      const copying = this.#copying;
      if (copying === undefined) return write();
      try {
        const outcome = await write();
        if (outcome === 'ok') await this.#repeat(ops, copying);
        return outcome;
      } catch (error) {
        copying.failure ??= error;
        throw error;
      }
    });
  }

  async #repeat(ops: readonly WriteOp[], copying: Copying): Promise<void> {
    const { next, copy } = copying;
    const own = next === undefined ? ops : ops.flatMap((op) => below(op, next));
    try {
      if (own.length > 0 && copying.failure === undefined) await copy.write(own, { durable: false });
    } catch (error) {
      // The write itself is done. The copy is given up.
      copying.failure = error;
    }
  }

  /** Makes the copy, which takes the place of the folder in a pause. Returns the number of copied bytes. */
  async run(driver: Exchanged, { alone, signal }: PurgePauses): Promise<number> {
    const { path } = driver;
    await removeRests(path);
    const copy = driver.copyTo(copyPath(path));
    const copying: Copying = { copy, next: new Uint8Array(0), bytes: 0, failure: undefined };
    try {
      await copy.create();
      await this.#turn.run(async () => void (this.#copying = copying));
      while (copying.next !== undefined) {
        signal.throwIfAborted();
        await this.#turn.run(() => copySome(driver, copying, copying.next!));
        // Some databases answer at once.
        await new Promise((next) => setImmediate(next));
      }
      // Most is on the disk before reads and writes pause.
      await copy.settle();
      await alone(() => this.#turn.run(() => this.#replace(driver, copying)));
    } finally {
      await this.#turn.run(async () => void (this.#copying = undefined));
      await copy.close();
      await removeRests(path);
    }
    return copying.bytes;
  }

  async #replace(driver: Exchanged, { copy, failure }: Copying): Promise<void> {
    if (failure !== undefined) throw failure;
    const { path } = driver;
    await copy.settle();
    await copy.close();
    await driver.close();
    try {
      await rename(path, oldPath(path));
      await rename(copyPath(path), path);
      await syncDirectory(dirname(path));
    } finally {
      if (!existsSync(path)) await settleExchange(path);
      await driver.open();
      this.#copying = undefined;
    }
  }
}

async function copySome(driver: Exchanged, copying: Copying, from: Bytes): Promise<void> {
  if (copying.failure !== undefined) throw copying.failure;
  const batch: WriteOp[] = [];
  let size = 0;
  let next: Bytes | undefined;
  for await (const chunk of driver.range({ gte: from }, { read: 'entries' })) {
    for (const { key, value } of chunk) {
      batch.push({ type: 'put', key: key.slice(), value: value.slice() });
      size += key.length + value.length;
    }
    if (size < BATCH_BYTES) continue;
    next = keyAfter(batch.at(-1) as { readonly key: Bytes });
    break;
  }
  if (batch.length > 0) await copying.copy.write(batch, { durable: false });
  copying.bytes += size;
  copying.next = next;
}

function keyAfter({ key }: { readonly key: Bytes }): Bytes {
  const after = new Uint8Array(key.length + 1);
  after.set(key);
  return after;
}

/** What an operation does to keys below another one. */
function below(op: WriteOp, next: Bytes): WriteOp[] {
  const first = op.type === 'deleteRange' ? op.gte : op.key;
  if (compareBytes(first, next) >= 0) return [];
  return op.type === 'deleteRange' && compareBytes(op.lt, next) > 0 ? [{ ...op, lt: next }] : [op];
}

/** Call it before the folder is opened: a process may have ended during an exchange. */
export async function settleExchange(path: string): Promise<void> {
  if (!existsSync(path) && existsSync(copyPath(path))) {
    // The copy was whole before the folder lost its name.
    await rename(copyPath(path), path);
    await syncDirectory(dirname(path));
  }
  if (existsSync(copyPath(path)) || existsSync(oldPath(path))) await removeRests(path);
}

/** Where the files are for a reader that changes nothing: a process may be between the two names, or has ended there. */
export const exchangedPath = (path: string): string =>
  !existsSync(path) && existsSync(copyPath(path)) ? copyPath(path) : path;

async function removeRests(path: string): Promise<void> {
  for (const rest of [copyPath(path), oldPath(path)]) await rm(rest, { recursive: true, force: true });
}
