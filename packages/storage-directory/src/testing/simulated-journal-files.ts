/** Journal files in memory. They lose unsynced data at a simulated power failure, and fail on purpose. */

import type { Bytes } from '@quadrille/storage';
import { JOURNAL_FILES, type JournalFile, type JournalFiles } from '../journal/journal-files.js';
import { SimulatedFaults, type SimulatedFault } from './simulated-faults.js';
import { SimulatedFile } from './simulated-file.js';

const OPERATIONS = ['read', 'open', 'write', 'sync', 'close', 'remove'] as const;
/** An operation on journal files. */
export type JournalOperation = (typeof OPERATIONS)[number];
/** A fault of journal files. */
export type JournalFault = SimulatedFault<JournalOperation>;

export class SimulatedJournalFiles implements JournalFiles {
  readonly name = 'the journal';
  readonly #faults = new SimulatedFaults('the journal', OPERATIONS);
  #files = JOURNAL_FILES.map(() => new SimulatedFile());
  #open = false;

  /** Makes files with these contents. */
  static of(contents: readonly Bytes[]): SimulatedJournalFiles {
    const files = new SimulatedJournalFiles();
    files.#files = contents.map((content) => SimulatedFile.of(content));
    return files;
  }

  /** Sets the next fault, or none. */
  setFault(fault?: JournalFault): void {
    this.#faults.set(fault);
  }

  /** The number of calls of each operation. */
  get calls(): Readonly<Record<JournalOperation, number>> {
    return this.#faults.calls;
  }

  /** Number of times that the present fault has hit. */
  get fired(): number {
    return this.#faults.fired;
  }

  /** The contents of the files. */
  get contents(): readonly Bytes[] {
    return this.#files.map(({ present }) => present);
  }

  /** The files after a power failure: see `SimulatedFile.crash`. */
  crash(random: () => number, hostile: boolean): SimulatedJournalFiles {
    const files = new SimulatedJournalFiles();
    files.#files = this.#files.map((file) => file.crash(random, hostile));
    return files;
  }

  async read(): Promise<readonly Bytes[]> {
    this.#faults.call('read');
    return this.contents;
  }

  async open(): Promise<void> {
    this.#faults.call('open');
    this.#open = true;
  }

  write(file: JournalFile, bytes: Bytes, position: number): void {
    if (!this.#open) throw new Error('The files of the journal are not open');
    try {
      this.#faults.call('write');
    } catch (error) {
      this.#files[file]!.write(bytes.subarray(0, this.#faults.torn), position);
      throw error;
    }
    this.#files[file]!.write(bytes, position);
  }

  truncate(file: JournalFile, length: number): void {
    this.#files[file]!.truncate(length);
  }

  async sync(file: JournalFile): Promise<void> {
    this.#faults.call('sync');
    this.#files[file]!.sync();
  }

  async overwrite(): Promise<void> {
    for (const [file, { length }] of this.contents.entries()) {
      this.write(file as JournalFile, new Uint8Array(length), 0);
      await this.sync(file as JournalFile);
    }
  }

  async close(): Promise<void> {
    this.#faults.call('close');
    this.#open = false;
  }

  async remove(): Promise<void> {
    this.#faults.call('remove');
    this.#files = JOURNAL_FILES.map(() => new SimulatedFile());
  }
}
