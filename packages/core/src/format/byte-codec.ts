/** Reads and writes values in little-endian order, with variable-length integers (7 bits a byte, low bits first). */

import { CorruptionError } from '@quadrille/model';

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder();

export const toJson = (value: unknown): Uint8Array => utf8Encoder.encode(JSON.stringify(value));
export const fromJson = (bytes: Uint8Array): unknown => JSON.parse(utf8Decoder.decode(bytes));

export class ByteWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length(): number {
    return this.#length;
  }

  /** Empties the writer. Bytes that {@link finish} returned before are overwritten. */
  clear(): this {
    this.#length = 0;
    return this;
  }

  /** Returns the bytes written so far. They share memory with the writer. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  u8(value: number): this {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
    return this;
  }

  u16(value: number): this {
    return this.u8(value).u8(value >>> 8);
  }

  u32(value: number): this {
    return this.u16(value).u16(value >>> 16);
  }

  f64(value: number): this {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
    return this;
  }

  /** Writes an integer from 0 to 2^53 - 1 with 1 to 8 bytes. */
  varint(value: number): this {
    this.#reserve(8);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
    return this;
  }

  bytes(value: Uint8Array): this {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  text(value: string): this {
    const encoded = utf8Encoder.encode(value);
    return this.varint(encoded.length).bytes(encoded);
  }

  optionalText(value: string | undefined): this {
    return value === undefined ? this.u8(0) : this.u8(1).text(value);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The number of bytes that {@link ByteWriter.varint} writes for a number. */
export function varintBytes(value: number): number {
  let bytes = 1;
  for (let limit = 0x80; value >= limit; limit *= 0x80) bytes++;
  return bytes;
}

export class ByteReader {
  #at = 0;

  constructor(private readonly source: Uint8Array) {}

  get position(): number {
    return this.#at;
  }

  get remaining(): number {
    return this.source.length - this.#at;
  }

  u8(): number {
    return this.source[this.#advance(1)]!;
  }

  u16(): number {
    return this.u8() | (this.u8() << 8);
  }

  u32(): number {
    return (this.u16() | (this.u16() << 16)) >>> 0;
  }

  f64(): number {
    const at = this.#advance(8);
    return new DataView(this.source.buffer, this.source.byteOffset).getFloat64(at, true);
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }

  bytes(count: number): Uint8Array {
    const at = this.#advance(count);
    return this.source.subarray(at, at + count);
  }

  /** Copies bytes without making an object: for short ones. */
  copyTo(target: Uint8Array, to: number, count: number): void {
    const at = this.#advance(count);
    for (let i = 0; i < count; i++) target[to + i] = this.source[at + i]!;
  }

  text(): string {
    return utf8Decoder.decode(this.bytes(this.varint()));
  }

  optionalText(): string | undefined {
    return this.u8() === 0 ? undefined : this.text();
  }

  #advance(count: number): number {
    const at = this.#at;
    if (at + count > this.source.length) throw new CorruptionError('INDEX_DISAGREES', 'a stored value ends too early');
    this.#at = at + count;
    return at;
  }
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}
