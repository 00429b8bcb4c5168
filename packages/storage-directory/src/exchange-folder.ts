/**
 * Replaces the folder of a backend by a copy of its entries. Databases keep deleted and replaced values in their files for a time that
 * nobody knows. A new database has none of them.
 */

import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StorageDriver, WriteOp } from '@quadrille/storage';
import { syncDirectory } from './files.js';

/** Entries are copied in batches of about this size, in bytes. */
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

const copyPath = (path: string): string => `${path}.copy`;
const oldPath = (path: string): string => `${path}.old`;

/** Writes the copy, and takes its place while `alone` keeps reads away. Returns the number of copied bytes. */
export async function exchangeFolder(
  driver: Exchanged,
  alone: (exchange: () => Promise<void>) => Promise<void>,
): Promise<number> {
  const { path } = driver;
  await removeRests(path);
  let bytes: number;
  try {
    bytes = await writeCopy(driver, driver.copyTo(copyPath(path)));
  } catch (error) {
    await removeRests(path);
    throw error;
  }
  await alone(async () => {
    await driver.close();
    try {
      await rename(path, oldPath(path));
      await rename(copyPath(path), path);
      await syncDirectory(dirname(path));
    } finally {
      await driver.open();
    }
  });
  await removeRests(path);
  return bytes;
}

async function writeCopy(driver: Exchanged, copy: Copy): Promise<number> {
  let bytes = 0;
  await copy.create();
  try {
    let batch: WriteOp[] = [];
    let size = 0;
    const send = async (): Promise<void> => {
      if (batch.length > 0) await copy.write(batch, { durable: false });
      bytes += size;
      batch = [];
      size = 0;
    };
    for await (const chunk of driver.range({}, { read: 'entries' })) {
      for (const { key, value } of chunk) {
        batch.push({ type: 'put', key: key.slice(), value: value.slice() });
        size += key.length + value.length;
      }
      if (size >= BATCH_BYTES) await send();
      // Some databases answer at once.
      await new Promise((next) => setImmediate(next));
    }
    await send();
    await copy.settle();
  } finally {
    await copy.close();
  }
  return bytes;
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
