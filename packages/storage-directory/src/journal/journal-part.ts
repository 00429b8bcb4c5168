/** A file of the journal, with its content in memory. */

import type { JournalFile } from './journal-files.js';
import { Overlay } from './overlay.js';

export class JournalPart {
  readonly overlay = new Overlay();
  bytes = 0;
  /** Size up to which the disk was found to have room, in bytes. */
  granted = 0;
  /** Number of its last record. */
  last = 0;
  /** Whether it contains a batch that was acknowledged as durable. */
  durable = false;
  /** Whether its end has not been synced. */
  unsynced = false;
  /**
   * Number of the batch that takes the content to the inner driver with it, from when it is handed over. It stays if its outcome is
   * unknown.
   */
  leavesWith: number | undefined;

  constructor(readonly file: JournalFile) {}
}
