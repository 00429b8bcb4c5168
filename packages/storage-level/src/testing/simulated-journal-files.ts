/** Files of a journal in memory, which lose what was not synced when the power fails, and fail on purpose. */

import type { Bytes } from '@quadrille/storage';
import { JOURNAL_FILES, type JournalFile, type JournalFiles } from '../journal/journal-files.js';

export type JournalOperation = 'read' | 'open' | 'write' | 'sync' | 'close' | 'remove';

/** `at`: which call from now on, counted from 1. A write that fails leaves the first `torn` bytes of it behind (default 0). */
export interface JournalFault {
  readonly operation: JournalOperation;
  readonly at?: number;
  readonly torn?: number;
  readonly error?: Error;
}

interface Write {
  readonly bytes: Bytes;
  readonly position: number;
}

class SimulatedFile {
  present: Bytes = new Uint8Array(0);
  /** What a power failure leaves for certain. */
  safe: Bytes = new Uint8Array(0);
  unsynced: Write[] = [];

  write(write: Write): void {
    this.present = written(this.present, write);
    this.unsynced.push(write);
  }

  sync(): void {
    this.safe = this.present;
    this.unsynced = [];
  }
}

export class SimulatedJournalFiles implements JournalFiles {
  readonly name = 'the journal';
  readonly calls: Record<JournalOperation, number> = { read: 0, open: 0, write: 0, sync: 0, close: 0, remove: 0 };
  #files = JOURNAL_FILES.map(() => new SimulatedFile());
  #fault: JournalFault | undefined;
  #left = 0;
  #open = false;
  #fired = 0;

  /** With these contents. */
  static of(contents: readonly Bytes[]): SimulatedJournalFiles {
    const files = new SimulatedJournalFiles();
    for (const [i, content] of contents.entries()) {
      files.#files[i]!.present = content.slice();
      files.#files[i]!.sync();
    }
    return files;
  }

  setFault(fault?: JournalFault): void {
    this.#fault = fault;
    this.#left = fault?.at ?? 1;
    this.#fired = 0;
  }

  /** How often the present fault has hit. */
  get fired(): number {
    return this.#fired;
  }

  get contents(): readonly Bytes[] {
    return this.#files.map(({ present }) => present);
  }

  /**
   * What a power failure now leaves: of the writes that were not synced the first few, the last of them torn, or in
   * `hostile` mode any, each torn anywhere.
   */
  crash(random: () => number, hostile: boolean): SimulatedJournalFiles {
    const contents = this.#files.map(({ safe, unsynced }) => {
      const torn = (write: Write): Write => ({
        ...write,
        bytes: write.bytes.slice(0, Math.floor(random() * (write.bytes.length + 1))),
      });
      if (hostile) {
        const kept = unsynced.filter(() => random() < 0.6);
        return kept.map((write) => (random() < 0.3 ? torn(write) : write)).reduce(written, safe);
      }
      const whole = Math.floor(random() * (unsynced.length + 1));
      const kept = [...unsynced.slice(0, whole), ...unsynced.slice(whole, whole + 1).map(torn)];
      return kept.reduce(written, safe);
    });
    return SimulatedJournalFiles.of(contents);
  }

  async read(): Promise<readonly Bytes[]> {
    this.#call('read');
    return this.contents;
  }

  async open(): Promise<void> {
    this.#call('open');
    this.#open = true;
  }

  write(file: JournalFile, bytes: Bytes, position: number): void {
    if (!this.#open) throw new Error('The files of the journal are not open');
    const { torn = 0 } = this.#fault ?? {};
    try {
      this.#call('write');
    } catch (error) {
      this.#files[file]!.write({ bytes: bytes.slice(0, torn), position });
      throw error;
    }
    this.#files[file]!.write({ bytes: bytes.slice(), position });
  }

  async sync(file: JournalFile): Promise<void> {
    this.#call('sync');
    this.#files[file]!.sync();
  }

  async close(): Promise<void> {
    this.#call('close');
    this.#open = false;
  }

  async remove(): Promise<void> {
    this.#call('remove');
    this.#files = JOURNAL_FILES.map(() => new SimulatedFile());
  }

  #call(operation: JournalOperation): void {
    this.calls[operation]++;
    const fault = this.#fault;
    if (fault?.operation !== operation || --this.#left !== 0) return;
    this.#fired++;
    throw fault.error ?? Object.assign(new Error(`injected fault in ${operation} of the journal`), { code: 'EIO' });
  }
}

function written(content: Bytes, { bytes, position }: Write): Bytes {
  const grown = new Uint8Array(Math.max(content.length, position + bytes.length));
  grown.set(content);
  grown.set(bytes, position);
  return grown;
}
