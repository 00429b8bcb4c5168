/** The two files of a journal, behind an interface so that tests can lose what was not synced, and fail on purpose. */

import type { Bytes } from '@quadrille/storage';

/** They are written in turn: one takes new records while the other's are taken over. */
export const JOURNAL_FILES = [0, 1] as const;
export type JournalFile = (typeof JOURNAL_FILES)[number];

export interface JournalFiles {
  /** For messages. */
  readonly name: string;
  /** The content of each file; empty where there is none. */
  read(): Promise<readonly Bytes[]>;
  /** Makes them ready to be written, and their names durable. What is in them stays until it is overwritten. */
  open(): Promise<void>;
  /** Writes at a position, before it returns. Afterwards the bytes survive the process, and with {@link sync} the machine. */
  write(file: JournalFile, bytes: Bytes, position: number): void;
  sync(file: JournalFile): Promise<void>;
  /** Takes what stands from `length` on away, and its room on the disk with it. */
  truncate(file: JournalFile, length: number): void;
  /** Does nothing where they are not open. */
  close(): Promise<void>;
  remove(): Promise<void>;
}
