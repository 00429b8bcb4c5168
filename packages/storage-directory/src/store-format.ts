/** The format of a store that is open: raised in its marker before something is written that older programs do not know. */

import { raiseFormat, type StoreMarker } from './marker.js';

/** The first format of a store in a directory whose readers know of the journal. */
export const JOURNAL_FORMAT = 2;
/** The first format whose readers know of blob files. */
export const BLOB_FORMAT = 3;

export class StoreFormat {
  #marker: StoreMarker;

  constructor(
    private readonly path: string,
    marker: StoreMarker,
  ) {
    this.#marker = marker;
  }

  /** Does nothing where the store has this format, or a newer one. */
  async raise(format: number): Promise<void> {
    if (this.#marker.format >= format) return;
    await raiseFormat(this.path, this.#marker, format);
    this.#marker = { ...this.#marker, format };
  }
}
