/** Chunks in memory, bounded by their bytes: those that were used longest ago go first. A chunk that is on its way is read once. */
import type { Chunk } from './chunk.js';
import type { Place } from './layout.js';

/** The cache of blocks above it has what queries use again. */
const MOST_BYTES = 8 * 1024 * 1024;

export class ChunkCache {
  readonly #chunks = new Map<string, Chunk>();
  readonly #coming = new Map<string, Promise<Chunk>>();
  #bytes = 0;

  /** The chunk of a place, which `read` reads where it is not here. */
  get({ file, at }: Place, read: () => Promise<Chunk>): Promise<Chunk> {
    const name = `${file}/${at}`;
    const known = this.#chunks.get(name);
    if (known !== undefined) {
      this.#chunks.delete(name);
      this.#chunks.set(name, known);
      return Promise.resolve(known);
    }
    const coming =
      this.#coming.get(name) ??
      read()
        .then((chunk) => this.#keep(name, chunk))
        .finally(() => this.#coming.delete(name));
    this.#coming.set(name, coming);
    return coming;
  }

  #keep(name: string, chunk: Chunk): Chunk {
    this.#chunks.set(name, chunk);
    this.#bytes += chunk.bytes;
    for (const [oldest, { bytes }] of this.#chunks) {
      if (this.#bytes <= MOST_BYTES || oldest === name) break;
      this.#chunks.delete(oldest);
      this.#bytes -= bytes;
    }
    return chunk;
  }
}
