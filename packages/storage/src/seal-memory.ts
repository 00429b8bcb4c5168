/**
 * Reusable memory for the sealed values of batches. New memory for each value would have to be cleared, and would cause garbage
 * collections.
 */

/** Sizes of the pieces: most batches are commits of a few quads. */
const PIECE_BYTES = [16 * 1024, 1024 * 1024] as const;
/** Number of pieces of a size that are kept for later batches. */
const KEPT_PIECES = 2;

export class SealMemory {
  readonly #free: readonly Uint8Array[][] = PIECE_BYTES.map(() => []);

  /** Returns memory for this many bytes; `undefined` if they are too many. */
  take(bytes: number): Uint8Array | undefined {
    const size = PIECE_BYTES.findIndex((piece) => bytes <= piece);
    return size === -1 ? undefined : (this.#free[size]!.pop() ?? new Uint8Array(PIECE_BYTES[size]!));
  }

  /** Takes back memory that nobody uses any more. */
  giveBack(memory: Uint8Array): void {
    const free = this.#free[memory.length === PIECE_BYTES[0] ? 0 : 1]!;
    if (free.length < KEPT_PIECES) free.push(memory);
  }
}
