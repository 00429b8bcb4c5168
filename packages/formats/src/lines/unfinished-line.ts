/** The start of a line whose end is in a later chunk. */
export class UnfinishedLine {
  #bytes = new Uint8Array(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Its last byte; `undefined` where it is empty. */
  get last(): number | undefined {
    return this.#bytes[this.#length - 1];
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    const length = this.#length + end - start;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes.subarray(start, end), this.#length);
    this.#length = length;
  }

  /** Empties it. The array is used again by the next {@link append}; it may be longer than the line. */
  take(): Uint8Array {
    this.#length = 0;
    return this.#bytes;
  }
}
