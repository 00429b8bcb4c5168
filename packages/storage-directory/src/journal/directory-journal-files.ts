/** The files of a journal in the directory of a store. */

import { close, closeSync, fdatasync, ftruncateSync, openSync, constants, writeSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bytes } from '@quadrille/storage';
import { syncDirectory, systemCode } from '../files.js';
import { JOURNAL_FILES, type JournalFile, type JournalFiles } from './journal-files.js';

const NOTHING: Bytes = new Uint8Array(0);
const ZERO_BYTES = 64 * 1024;
const closeFile = promisify(close);
const syncData = promisify(fdatasync);

/** The files `quadrille.journal.0` and `.1` in a directory. `beforeOpen` is called before they are created. */
export class DirectoryJournalFiles implements JournalFiles {
  #descriptors: readonly number[] = [];

  constructor(
    private readonly directory: string,
    private readonly beforeOpen: () => Promise<void>,
  ) {}

  get name(): string {
    return `${this.#path(0)} and .1`;
  }

  #path(file: JournalFile): string {
    return join(this.directory, `quadrille.journal.${file}`);
  }

  read(): Promise<readonly Bytes[]> {
    return Promise.all(JOURNAL_FILES.map((file) => readIfThere(this.#path(file))));
  }

  /**
   * Describes why records may be missing, judging by the files alone; undefined if nothing indicates a loss. Both
   * files are created together, and the first record follows at once. They are removed one after the other, when they
   * are empty.
   */
  async findLoss(): Promise<string | undefined> {
    const sizes = await Promise.all(JOURNAL_FILES.map((file) => sizeIfThere(this.#path(file))));
    const [first, second] = sizes;
    if (first === undefined && second !== undefined) return `${this.#path(0)} is missing.`;
    if (first !== undefined && first > 0 && second === undefined) return `${this.#path(1)} is missing.`;
    return first === 0 && second === 0 ? `${this.name} are empty.` : undefined;
  }

  async open(): Promise<void> {
    await this.beforeOpen();
    const opened: number[] = [];
    try {
      for (const file of JOURNAL_FILES) opened.push(openSync(this.#path(file), constants.O_RDWR | constants.O_CREAT));
      await syncDirectory(this.directory);
    } catch (error) {
      for (const descriptor of opened) closeSync(descriptor);
      throw error;
    }
    this.#descriptors = opened;
  }

  write(file: JournalFile, bytes: Bytes, position: number): void {
    const descriptor = this.#descriptors[file]!;
    for (let done = 0; done < bytes.length;) {
      done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
    }
  }

  truncate(file: JournalFile, length: number): void {
    ftruncateSync(this.#descriptors[file]!, length);
  }

  /** Resolves when the content of a file is on the disk. */
  sync(file: JournalFile): Promise<void> {
    return syncData(this.#descriptors[file]!);
  }

  async overwrite(): Promise<void> {
    const zeros = new Uint8Array(ZERO_BYTES);
    for (const file of JOURNAL_FILES) {
      const length = (await sizeIfThere(this.#path(file))) ?? 0;
      for (let at = 0; at < length; at += ZERO_BYTES)
        this.write(file, zeros.subarray(0, Math.min(ZERO_BYTES, length - at)), at);
      await this.sync(file);
    }
  }

  async close(): Promise<void> {
    const descriptors = this.#descriptors;
    this.#descriptors = [];
    for (const descriptor of descriptors) await closeFile(descriptor);
  }

  /** Deletes the files. */
  async remove(): Promise<void> {
    for (const file of JOURNAL_FILES) await rm(this.#path(file), { force: true });
  }
}

async function sizeIfThere(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

async function readIfThere(path: string): Promise<Bytes> {
  try {
    return await readFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return NOTHING;
    throw error;
  }
}
