/** Decoded blocks of tables that were read lately. */

import type { KeyVersion } from './key-version.js';

/** Of blocks as they are stored; decoded they take some four times as much. */
const CACHE_BYTES = 4 * 1024 * 1024;

interface Block {
  readonly versions: readonly KeyVersion[];
  readonly bytes: number;
}

export class BlockCache {
  /** From the one that was used longest ago to the newest. */
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
