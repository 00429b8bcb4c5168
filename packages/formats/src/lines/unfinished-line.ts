/** The start of a line that ends in a later chunk. */
import { MAX_IRI_BYTES } from '@quadrille/model';
import type { TermFault } from '../terms/term-fault.js';
import { LineWatch } from './line-watch.js';

/** Most documents end with a line feed, and short ones come in one chunk. So there is no memory at first. */
const NO_BYTES = new Uint8Array(0);

export class UnfinishedLine {
  readonly #watch: LineWatch;
  #bytes: Uint8Array = NO_BYTES;
  #length = 0;

  /** @param maxLabelBytes longest blank node label */
  constructor(maxLabelBytes: number) {
    this.#watch = new LineWatch(maxLabelBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** The last byte of the line, or `undefined` if the line is empty. */
  get last(): number | undefined {
    return this.#bytes[this.#length - 1];
  }

  /** Appends bytes. Returns the fault of a term that is already too long, at an offset of the line. */
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

  /** Returns the line and empties it. The next {@link append} reuses the array, which may be longer than the line. */
  take(): Uint8Array {
    this.#length = 0;
    this.#watch.restart();
    return this.#bytes;
  }
}
