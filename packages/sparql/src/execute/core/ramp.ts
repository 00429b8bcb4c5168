/** How many rows to ask an input for. */
import { BATCH_ROWS } from './batch.js';

/** Fewer rows than this are not worth a batch. */
const LEAST_ROWS = 4;
const GROWTH = 4;

/**
 * Asks for what the reader wants at first. Each time that was not enough it asks for more: of the rows of an input, perhaps only few
 * become rows of the answer.
 */
export class Ramp {
  #rows = LEAST_ROWS / GROWTH;

  next(want: number): number {
    this.#rows = Math.min(Math.max(want, this.#rows * GROWTH), BATCH_ROWS);
    return this.#rows;
  }
}
