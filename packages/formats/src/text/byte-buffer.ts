/** A growing buffer of bytes, for the canonical text of a term that is written differently in the document. */
import { writeCodePoint } from './utf8.js';

/** Most terms need no buffer. So it has no memory at first. */
const NO_BYTES = new Uint8Array(0);
const FIRST_BYTES = 1024;

/** Bytes that grow. */
export class ByteBuffer {
  /** The memory; the bytes in use are its first `length`. */
  bytes: Uint8Array = NO_BYTES;
  /** Number of bytes in use. */
  length = 0;

  /** Makes room for `count` more bytes, which may then be written from `length` on. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(FIRST_BYTES, this.bytes.length * 2, this.length + count));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  /** Adds a byte. */
  byte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  /** Copies a span of other bytes. */
  span(from: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    const { bytes } = this;
    let to = this.length;
    // For a few bytes a loop is cheaper than a call of `set`.
    if (end - start > 64) {
      bytes.set(from.subarray(start, end), to);
      to += end - start;
    } else for (let at = start; at < end; at++) bytes[to++] = from[at]!;
    this.length = to;
  }

  /** Appends the UTF-8 form of a code point. */
  codePoint(code: number): void {
    this.reserve(4);
    this.length = writeCodePoint(this.bytes, this.length, code);
  }

  /** A copy of the bytes from `start` on. */
  slice(start = 0): Uint8Array {
    return this.bytes.slice(start, this.length);
  }
}
