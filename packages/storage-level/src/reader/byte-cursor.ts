/** Reads LevelDB's encodings: little-endian numbers, varints, and texts with their length in front. */

export class ByteCursor {
  readonly #view: DataView;
  #at: number;

  constructor(
    private readonly bytes: Uint8Array,
    start = 0,
    private readonly end = bytes.length,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = start;
  }

  get position(): number {
    return this.#at;
  }

  get done(): boolean {
    return this.#at >= this.end;
  }

  u8(): number {
    return this.bytes[this.#move(1)]!;
  }

  u16(): number {
    return this.#view.getUint16(this.#move(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#move(4), true);
  }

  /** A 64-bit number, exact up to 2^53. */
  u64(): number {
    const low = this.u32();
    return low + this.u32() * 2 ** 32;
  }

  /** A number of up to 64 bits, exact up to 2^53. */
  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.u8();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      if (scale > 2 ** 56) throw new RangeError('a varint is too long');
    }
  }

  /** A view of the next bytes. */
  take(length: number): Uint8Array {
    const start = this.#move(length);
    return this.bytes.subarray(start, start + length);
  }

  /** A view of bytes that have their length, a varint, in front. */
  prefixed(): Uint8Array {
    return this.take(this.varint());
  }

  #move(length: number): number {
    const start = this.#at;
    if (start + length > this.end) throw new RangeError('the bytes end inside a number or text');
    this.#at += length;
    return start;
  }
}
