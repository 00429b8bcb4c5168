/** A file of the journal and what stands in it, in memory too. */

import type { JournalFile } from './journal-files.js';
import { Overlay } from './overlay.js';

export class JournalPart {
  readonly overlay = new Overlay();
  bytes = 0;
  /** Up to here there was room on the disk. */
  granted = 0;
  /** The number of its last record. */
  last = 0;
  /** It holds a batch that was acknowledged as durable. */
  durable = false;
  /** Its end has not reached the disk. */
  unsynced = false;

  constructor(readonly file: JournalFile) {}
}
