/** Finds the blocks of a run in the cache. */
import { MISS } from '../../keyspace/block-cache.js';
import type { Run } from '../run/run.js';

const UNKNOWN = -1;

export class BlockFinder {
  /** The block that must be fetched; -1 if none was missing. */
  missing = UNKNOWN;
  #block = UNKNOWN;
  #arrivals = 0;
  #at = 0;

  constructor(private readonly run: Run) {}

  forget(): void {
    this.missing = UNKNOWN;
  }

  get isMissing(): boolean {
    return this.missing !== UNKNOWN;
  }

  /**
   * The word offset of a block, or {@link MISS}. Remembers the last block: it does not move until a value is inserted
   * into the cache.
   */
  find(block: number): number {
    const { run } = this;
    if (block === this.#block && run.cache.arrivals === this.#arrivals) return this.#at;
    const at = run.find(block);
    if (at === MISS) {
      this.missing = block;
      return MISS;
    }
    this.#block = block;
    this.#arrivals = run.cache.arrivals;
    this.#at = at;
    return at;
  }
}
