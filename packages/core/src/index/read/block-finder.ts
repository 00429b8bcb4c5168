/** Where the blocks of a run stand in the cache. */
import { MISS } from '../../keyspace/block-cache.js';
import type { Run } from '../run/run.js';

const UNKNOWN = -1;

export class BlockFinder {
  /** The block that has to be fetched, -1 where none was missing. */
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

  /** The place of a block, or {@link MISS}. A block does not move until another one comes into the cache. */
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
