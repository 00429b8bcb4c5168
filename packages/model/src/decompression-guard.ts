/** The one guard against documents that decompress to far more than what was sent ("zip bombs"). */

export interface DecompressionLimits {
  /** Longest content, in decompressed bytes. Default: any length. */
  readonly maxBytes?: number | undefined;
  /** Greatest ratio of decompressed to compressed bytes, from the first megabyte on. Default: any ratio. */
  readonly maxRatio?: number | undefined;
}

/** Up to here a ratio says nothing: a harmless document may start with much of the same. */
const RATIO_FROM_BYTES = 1_000_000;

/** Tells when a compressed document becomes too long. */
export class DecompressionGuard {
  readonly #maxBytes: number;
  readonly #maxRatio: number;
  #bytes = 0;

  constructor({ maxBytes = Infinity, maxRatio = Infinity }: DecompressionLimits) {
    this.#maxBytes = maxBytes;
    this.#maxRatio = maxRatio;
  }

  /**
   * Counts decompressed bytes. Which limit they exceed, `undefined` where none.
   * @param compressedBytes compressed bytes so far; `undefined` for content that was not compressed
   */
  exceeded(bytes: number, compressedBytes: number | undefined): 'length' | 'ratio' | undefined {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) return 'length';
    if (compressedBytes === undefined || this.#bytes <= RATIO_FROM_BYTES) return undefined;
    return this.#bytes > compressedBytes * this.#maxRatio ? 'ratio' : undefined;
  }
}
