/** The memory of values that an operator computes: taken ahead, so that counting each of them costs an addition. */
import { EvaluationError } from '@quadrille/model';
import { type Memory, textBytes } from './memory.js';

/** Bytes that are reserved ahead at most. */
const STEP_BYTES = 64 * 1024;

export class ValueMemory {
  readonly #mostCharacters: number;
  #used = 0;
  #reserved = 0;

  constructor(private readonly memory: Memory) {
    this.#mostCharacters = memory.mostCharacters;
  }

  /** Bytes in use. */
  get used(): number {
    return this.#used;
  }

  /**
   * Counts a text that is about to be built, or the next part of one that will be as long as `whole`.
   * @throws EvaluationError `QUERY_MEMORY`
   */
  reserveText(length: number, whole = length): void {
    if (whole > this.#mostCharacters) throw tooLong(this.#mostCharacters);
    this.reserve(textBytes(length));
  }

  /** @throws EvaluationError `QUERY_MEMORY` */
  reserve(bytes: number): void {
    const used = this.#used + bytes;
    if (used > this.#reserved) {
      // Short queries need little.
      const more = used - this.#reserved + Math.min(STEP_BYTES, used);
      this.memory.reserveValues(more);
      this.#reserved += more;
    }
    this.#used = used;
  }

  /** Sets what is in use to less. What was reserved stays, up to a step. */
  shrinkTo(bytes: number): void {
    this.#used = bytes;
    const spare = this.#reserved - bytes - STEP_BYTES;
    if (spare <= 0) return;
    this.memory.releaseValues(spare);
    this.#reserved -= spare;
  }

  free(): void {
    this.memory.releaseValues(this.#reserved);
    this.#reserved = this.#used = 0;
  }
}

export const tooLong = (mostCharacters: number): EvaluationError =>
  new EvaluationError('QUERY_MEMORY', `a text would have more than ${String(mostCharacters)} characters`, {
    details: { mostCharacters },
  });
