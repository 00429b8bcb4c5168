/** Blob files in a directory. */

import { close, closeSync, constants, fdatasync, ftruncate, openSync, read, readSync, write } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bytes } from '@quadrille/storage';
import { syncDirectory, systemCode } from '../files.js';
import type { BlobFiles } from './blob-files.js';

const NAME = /^\d{8,}\.blob$/;
const closeFile = promisify(close);
const syncData = promisify(fdatasync);
const truncateFile = promisify(ftruncate);

/**
 * The files `00000001.blob`, … in a directory of their own. `beforeFirst` is called before the directory is created.
 */
export class DirectoryBlobFiles implements BlobFiles {
  readonly #descriptors = new Map<number, number>();

  constructor(
    private readonly directory: string,
    private readonly beforeFirst: () => Promise<void>,
  ) {}

  get name(): string {
    return this.directory;
  }

  async list(): Promise<ReadonlyMap<number, number>> {
    const bytes = new Map<number, number>();
    for (const name of await namesIn(this.directory)) {
      if (!NAME.test(name)) continue;
      const { size } = await stat(join(this.directory, name));
      bytes.set(Number.parseInt(name, 10), size);
    }
    return bytes;
  }

  async create(file: number): Promise<void> {
    await this.beforeFirst();
    if ((await mkdir(this.directory, { recursive: true })) !== undefined)
      await syncDirectory(join(this.directory, '..'));
    const made = await open(this.#path(file), constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC);
    await made.close();
    await syncDirectory(this.directory);
  }

  write(file: number, bytes: Bytes, position: number): Promise<void> {
    return writeAll(this.#descriptor(file), bytes, position);
  }

  sync(file: number): Promise<void> {
    return syncData(this.#descriptor(file));
  }

  truncate(file: number, bytes: number): Promise<void> {
    return truncateFile(this.#descriptor(file), bytes);
  }

  read(file: number, into: Uint8Array, position: number): Promise<boolean> {
    return readAll(this.#descriptor(file), into, position);
  }

  readSync(file: number, into: Uint8Array, position: number): boolean {
    const descriptor = this.#descriptor(file);
    for (let done = 0; done < into.length;) {
      const count = readSync(descriptor, into, done, into.length - done, position + done);
      if (count === 0) return false;
      done += count;
    }
    return true;
  }

  remove(file: number): Promise<void> {
    // Opens a descriptor first, so that present readers can go on reading the file.
    this.#descriptor(file);
    return rm(this.#path(file), { force: true });
  }

  forget(file: number): void {
    const descriptor = this.#descriptors.get(file);
    this.#descriptors.delete(file);
    if (descriptor !== undefined) closeSync(descriptor);
  }

  async close(): Promise<void> {
    const descriptors = [...this.#descriptors.values()];
    this.#descriptors.clear();
    for (const descriptor of descriptors) await closeFile(descriptor);
  }

  #path(file: number): string {
    return join(this.directory, `${String(file).padStart(8, '0')}.blob`);
  }

  #descriptor(file: number): number {
    let descriptor = this.#descriptors.get(file);
    if (descriptor === undefined) {
      descriptor = openSync(this.#path(file), constants.O_RDWR);
      this.#descriptors.set(file, descriptor);
    }
    return descriptor;
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Repeats the system call, because it may write less than requested. */
async function writeAll(descriptor: number, bytes: Bytes, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += await new Promise<number>((resolve, reject) => {
      write(descriptor, bytes, done, bytes.length - done, position + done, (error, count) =>
        error === null ? resolve(count) : reject(error),
      );
    });
  }
}

async function readAll(descriptor: number, into: Uint8Array, position: number): Promise<boolean> {
  for (let done = 0; done < into.length;) {
    const count = await new Promise<number>((resolve, reject) => {
      read(descriptor, into, done, into.length - done, position + done, (error, bytes) =>
        error === null ? resolve(bytes) : reject(error),
      );
    });
    if (count === 0) return false;
    done += count;
  }
  return true;
}
