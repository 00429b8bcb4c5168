/** Blob files in a directory. */

import { close, closeSync, constants, fdatasync, ftruncate, openSync, read, readSync, write } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bytes } from '@quadrille/storage';
import { makeDirectory, syncDirectory, systemCode } from '../files.js';
import type { BlobFiles } from './blob-files.js';

const NAME = /^\d{8,}\.blob$/;
const closeFile = promisify(close);
const syncData = promisify(fdatasync);
const truncateFile = promisify(ftruncate);

/** Most files that are open at a time, beside those that were removed and are still read. */
const MOST_DESCRIPTORS = 64;

interface OpenFile {
  readonly descriptor: number;
  /** Number of calls under way. */
  users: number;
  /** Whether the file was removed and is still read. It cannot be opened again. */
  removed: boolean;
}

/**
 * The files `00000001.blob`, … in a directory of their own. `beforeFirst` is called before the directory is created.
 */
export class DirectoryBlobFiles implements BlobFiles {
  /** The file that was used last comes last. */
  readonly #open = new Map<number, OpenFile>();
  /** Number of files with calls under way, and the calls that wait for one of them to end. */
  #used = 0;
  #waiting: (() => void)[] = [];

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
    await makeDirectory(this.directory);
    const made = await open(this.#path(file), constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC);
    await made.close();
    await syncDirectory(this.directory);
  }

  write(file: number, bytes: Bytes, position: number): Promise<void> {
    return this.#using(file, (descriptor) => writeAll(descriptor, bytes, position));
  }

  sync(file: number): Promise<void> {
    return this.#using(file, syncData);
  }

  truncate(file: number, bytes: number): Promise<void> {
    return this.#using(file, (descriptor) => truncateFile(descriptor, bytes));
  }

  read(file: number, into: Uint8Array, position: number): Promise<boolean> {
    return this.#using(file, (descriptor) => readAll(descriptor, into, position));
  }

  readSync(file: number, into: Uint8Array, position: number): boolean {
    const { descriptor } = this.#opened(file);
    for (let done = 0; done < into.length;) {
      const count = readSync(descriptor, into, done, into.length - done, position + done);
      if (count === 0) return false;
      done += count;
    }
    return true;
  }

  async remove(file: number): Promise<void> {
    // Opens it first, so that present readers can go on reading the file.
    this.#opened(file).removed = true;
    await rm(this.#path(file), { force: true });
  }

  forget(file: number): void {
    const open = this.#open.get(file);
    this.#open.delete(file);
    if (open !== undefined) closeSync(open.descriptor);
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { descriptor } of open) await closeFile(descriptor);
  }

  #path(file: number): string {
    return join(this.directory, `${String(file).padStart(8, '0')}.blob`);
  }

  async #using<T>(file: number, work: (descriptor: number) => Promise<T>): Promise<T> {
    while (this.#used >= MOST_DESCRIPTORS && (this.#open.get(file)?.users ?? 0) === 0)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const open = this.#opened(file);
    if (open.users++ === 0) this.#used++;
    try {
      return await work(open.descriptor);
    } finally {
      if (--open.users === 0) {
        this.#used--;
        for (const wake of this.#waiting.splice(0)) wake();
      }
    }
  }

  #opened(file: number): OpenFile {
    const open = this.#open.get(file) ?? {
      descriptor: openSync(this.#path(file), constants.O_RDWR),
      users: 0,
      removed: false,
    };
    this.#open.delete(file);
    this.#closeUnused();
    this.#open.set(file, open);
    return open;
  }

  /** Makes room for one more, from the file that was not used for the longest time on. */
  #closeUnused(): void {
    for (const [file, { users, removed }] of this.#open) {
      if (this.#open.size < MOST_DESCRIPTORS) return;
      if (users === 0 && !removed) this.forget(file);
    }
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
