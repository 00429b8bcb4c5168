/** The format of an open store. It is raised in the marker before data are written that older programs cannot read. */

import { raiseFormat, type StoreMarker } from './marker.js';

/** The first format of stores with a journal. */
export const JOURNAL_FORMAT = 2;
/** The first format of stores with blob files. */
export const BLOB_FORMAT = 3;
/** The newest format. The engine raises a store to it. */
export const NEWEST_FORMAT = 5;

export class StoreFormat {
  #marker: StoreMarker;
  #raising: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly path: string,
    marker: StoreMarker,
  ) {
    this.#marker = marker;
  }

  /** The marker as it is stored now. */
  get marker(): StoreMarker {
    return this.#marker;
  }

  /**
   * Raises the format. Does nothing if the store has this format or a newer one. Calls take effect one after the other,
   * because they write the same file.
   */
  async raise(format: number): Promise<void> {
    if (this.#marker.format >= format) return;
    const raised = this.#raising.then(async () => {
      await raiseFormat(this.path, this.#marker, format);
      if (this.#marker.format < format) this.#marker = { ...this.#marker, format };
    });
    this.#raising = raised.catch(() => undefined);
    await raised;
  }
}
