/** Natural numbers of 1 to 8 bytes, 7 bits a byte, low bits first, and bytes between them. */

export class VarintWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  number(value: number): this {
    this.#reserve(8);
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) | 128;
    this.#bytes[this.#length++] = rest;
    return this;
  }

  /** Bytes alone: the reader has to know how many. */
  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** The number of the bytes, then the bytes. */
  bytes(bytes: Uint8Array): this {
    return this.number(bytes.length).raw(bytes);
  }

  get length(): number {
    return this.#length;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#length + more, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** @throws RangeError at each read behind the end */
export class VarintReader {
  #at = 0;

  constructor(private readonly given: Uint8Array) {}

  number(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.given[this.#at++];
      if (byte === undefined) throw new RangeError('the bytes end within a number');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }

  /** A view of the next bytes. */
  raw(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.given.length) throw new RangeError('the bytes end within a value');
    const part = this.given.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  bytes(): Uint8Array {
    return this.raw(this.number());
  }

  get atEnd(): boolean {
    return this.#at >= this.given.length;
  }
}

/** How many bytes two keys begin with in common. */
export function sharedLength(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
}
