/**
 * Reusable memory for the sealed values of large batches. New memory for each value would have to be cleared, and its
 * size would cause garbage collections.
 */

/** Values of smaller batches get arrays of their own. */
const LARGE_BATCH_BYTES = 64 * 1024;
const PIECE_BYTES = 1024 * 1024;
/** Number of pieces kept for later batches. */
const KEPT_PIECES = 2;

export class SealMemory {
  readonly #free: Uint8Array[] = [];

  /** Returns memory for this many bytes; `undefined` if they are too few or too many. */
  take(bytes: number): Uint8Array | undefined {
    if (bytes < LARGE_BATCH_BYTES || bytes > PIECE_BYTES) return undefined;
    return this.#free.pop() ?? new Uint8Array(PIECE_BYTES);
  }

  /** Takes back memory that nobody uses any more. */
  giveBack(memory: Uint8Array): void {
    if (this.#free.length < KEPT_PIECES) this.#free.push(memory);
  }
}
