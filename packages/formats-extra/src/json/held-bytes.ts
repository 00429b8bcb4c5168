/** Chunks of a document that are held until they can be parsed together. */
export class HeldBytes {
  #chunks: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Appends a copy of the bytes. */
  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#length += bytes.length;
    this.#chunks.push(bytes.slice());
  }

  /** The bytes from `start` to `end`, or to the last one. */
  bytes(start = 0, end = this.#length): Uint8Array {
    const [only] = this.#chunks;
    if (only !== undefined && this.#chunks.length === 1) return only.subarray(start, end);
    const whole = new Uint8Array(end - start);
    let at = 0;
    for (const chunk of this.#chunks) {
      const from = Math.max(0, start - at);
      const to = Math.min(chunk.length, end - at);
      if (from < to) whole.set(chunk.subarray(from, to), at + from - start);
      at += chunk.length;
    }
    return whole;
  }

  clear(): void {
    this.#chunks = [];
    this.#length = 0;
  }
}
