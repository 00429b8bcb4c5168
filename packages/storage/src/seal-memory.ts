/**
 * Memory for the sealed values of large batches, used again and again: what is taken anew for each value is cleared by
 * the system, and makes the garbage collector run by its mere size.
 */

/** Values of smaller batches have arrays of their own. */
const LARGE_BATCH_BYTES = 64 * 1024;
const PIECE_BYTES = 1024 * 1024;
/** Pieces kept for the next batches. */
const KEPT_PIECES = 2;

export class SealMemory {
  readonly #free: Uint8Array[] = [];

  /** Memory for so many bytes; `undefined` where they are too few or too many. */
  take(bytes: number): Uint8Array | undefined {
    if (bytes < LARGE_BATCH_BYTES || bytes > PIECE_BYTES) return undefined;
    return this.#free.pop() ?? new Uint8Array(PIECE_BYTES);
  }

  /** Gives memory back of which nobody holds a part any more. */
  giveBack(memory: Uint8Array): void {
    if (this.#free.length < KEPT_PIECES) this.#free.push(memory);
  }
}
