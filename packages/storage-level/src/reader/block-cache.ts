/** A cache of decoded table blocks that drops the least recently used block first. */

import type { KeyVersion } from './key-version.js';

/** Size of the cache, in bytes of stored blocks. Decoded blocks take about four times as much memory. */
const CACHE_BYTES = 4 * 1024 * 1024;

interface Block {
  readonly versions: readonly KeyVersion[];
  readonly bytes: number;
}

export class BlockCache {
  /** In order of use; the least recently used block comes first. */
  readonly #blocks = new Map<string, Block>();
  #bytes = 0;

  get(name: string): readonly KeyVersion[] | undefined {
    const block = this.#blocks.get(name);
    if (block === undefined) return undefined;
    this.#blocks.delete(name);
    this.#blocks.set(name, block);
    return block.versions;
  }

  set(name: string, versions: readonly KeyVersion[], bytes: number): void {
    this.#blocks.set(name, { versions, bytes });
    this.#bytes += bytes;
    for (const [oldest, block] of this.#blocks) {
      if (this.#bytes <= CACHE_BYTES) return;
      this.#blocks.delete(oldest);
      this.#bytes -= block.bytes;
    }
  }
}
