/** How many rows to ask an input for. */
import { rowsOfWidth } from './batch.js';

/** Fewer rows than this are not worth a batch. */
const LEAST_ROWS = 4;
const GROWTH = 4;

/**
 * Asks for what the reader wants at first. Each time that was not enough it asks for more: of the rows of an input, perhaps only few
 * become rows of the answer.
 */
export class Ramp {
  #rows = LEAST_ROWS / GROWTH;
  readonly #most: number;

  /** `width`: the columns of the operator's rows. */
  constructor(width: number) {
    this.#most = rowsOfWidth(width);
  }

  next(want: number): number {
    this.#rows = Math.min(Math.max(want, this.#rows * GROWTH), this.#most);
    return this.#rows;
  }
}
