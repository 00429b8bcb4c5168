/** The format of an open store. It is raised in the marker before data are written that older programs cannot read. */

import { raiseFormat, type StoreMarker } from './marker.js';

/** The first format of stores with a journal. */
export const JOURNAL_FORMAT = 2;
/** The first format of stores with blob files. */
export const BLOB_FORMAT = 3;

export class StoreFormat {
  #marker: StoreMarker;

  constructor(
    private readonly path: string,
    marker: StoreMarker,
  ) {
    this.#marker = marker;
  }

  /** Raises the format. Does nothing if the store has this format or a newer one. */
  async raise(format: number): Promise<void> {
    if (this.#marker.format >= format) return;
    await raiseFormat(this.path, this.#marker, format);
    this.#marker = { ...this.#marker, format };
  }
}
