/** The two files of a journal. An interface, so that tests can lose unsynced data and fail on purpose. */

import type { Bytes } from '@quadrille/storage';

/** The numbers of the two files. One takes new records while the content of the other goes to the backend. */
export const JOURNAL_FILES = [0, 1] as const;
/** The number of a journal file. */
export type JournalFile = (typeof JOURNAL_FILES)[number];

/** The two files of a journal. */
export interface JournalFiles {
  /** Name for error messages. */
  readonly name: string;
  /** The content of each file; empty if it does not exist. */
  read(): Promise<readonly Bytes[]>;
  /** Opens the files for writing and makes their names durable. Their content stays until it is overwritten. */
  open(): Promise<void>;
  /**
   * Writes synchronously at a position. Afterwards the bytes survive the end of the process, and after {@link sync} a
   * power failure.
   */
  write(file: JournalFile, bytes: Bytes, position: number): void;
  /** Resolves when the content of a file is on the disk. */
  sync(file: JournalFile): Promise<void>;
  /** Cuts a file to `length` bytes and frees the space on the disk. */
  truncate(file: JournalFile, length: number): void;
  /** Overwrites the content of both files with zeros, up to their present ends. It is on the disk when this resolves. */
  overwrite(): Promise<void>;
  /** Does nothing if the files are not open. */
  close(): Promise<void>;
  /** Deletes the files. */
  remove(): Promise<void>;
}
