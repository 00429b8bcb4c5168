/** One state of a store with a journal: a state of the inner driver, and the content of the journal that lies above it. */

import type { Bytes, DriverSnapshot, Entry, KeyRange, RangeOptions } from '@quadrille/storage';
import { POSITION_KEY } from './journal-position.js';
import { DELETED, mergeEntries, overlaidRange, type OverlayState } from './overlay.js';

export class JournalSnapshot implements DriverSnapshot {
  #isBelow: Promise<boolean> | undefined;

  /**
   * All parts are of one turn of the event loop.
   * @param isBelow whether the state of the inner driver, with this position, has the newer content and a later batch
   */
  constructor(
    private readonly inner: DriverSnapshot,
    private readonly newer: OverlayState,
    private readonly older: OverlayState | undefined,
    private readonly isBelow: ((position: Bytes | undefined) => boolean) | undefined,
  ) {}

  async get(key: Bytes): Promise<Bytes | undefined> {
    return (await this.getMany([key]))[0];
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    const { newer, older } = await this.#above();
    const values = keys.map((key) => newer?.get(key) ?? older?.get(key));
    const below = keys.filter((_, i) => values[i] === undefined);
    const read = (below.length === 0 ? [] : await this.inner.getMany(below)).values();
    return values.map((value) => (value === undefined ? read.next().value : value === DELETED ? undefined : value));
  }

  async *range(range: KeyRange, options: Required<RangeOptions>): AsyncGenerator<readonly Entry[], void, undefined> {
    const { newer, older } = await this.#above();
    const above = mergeEntries(newer?.entries(range) ?? [], older?.entries(range) ?? [], range.reverse === true);
    const below = { ...range, lt: range.lt ?? POSITION_KEY };
    yield* above.length === 0 ? this.inner.range(below, options) : overlaidRange(above, this.inner, below, options);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  async #above(): Promise<{ readonly newer?: OverlayState; readonly older?: OverlayState | undefined }> {
    const { isBelow, newer, older } = this;
    if (isBelow === undefined) return { newer, older };
    this.#isBelow ??= this.inner.get(POSITION_KEY).then(isBelow);
    return (await this.#isBelow) ? {} : { newer, older };
  }
}
