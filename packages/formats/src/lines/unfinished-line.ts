/** The start of a line whose end is in a later chunk. */
import { MAX_IRI_BYTES } from '@quadrille/model';
import type { TermFault } from '../terms/term-fault.js';
import { LineWatch } from './line-watch.js';

export class UnfinishedLine {
  readonly #watch: LineWatch;
  #bytes = new Uint8Array(4096);
  #length = 0;

  /** @param maxLabelBytes longest blank node label */
  constructor(maxLabelBytes: number) {
    this.#watch = new LineWatch(maxLabelBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** Its last byte; `undefined` where it is empty. */
  get last(): number | undefined {
    return this.#bytes[this.#length - 1];
  }

  /** Returns the fault of a term that is too long already, at an offset of the line. */
  append(bytes: Uint8Array, start: number, end: number): TermFault | undefined {
    const length = this.#length + end - start;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes.subarray(start, end), this.#length);
    this.#length = length;
    // Most lines are shorter than any term that is too long.
    return length > MAX_IRI_BYTES ? this.#watch.look(this.#bytes, length) : undefined;
  }

  /** Empties it. The array is used again by the next {@link append}; it may be longer than the line. */
  take(): Uint8Array {
    this.#length = 0;
    this.#watch.restart();
    return this.#bytes;
  }
}
