/**
 * A position in the bytes of an XML document. A method that returns a boolean moves behind the token that it reads and returns true.
 * It returns false if the token is not well-formed, is cut, or is not supported by the fast reader.
 */
import { BYTE_CLASS, codePointAt, LABEL_BYTE, LETTER, utf8Length } from '@quadrille/formats';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const BANG = 0x21;
const MINUS = 0x2d;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const GREATER = 0x3e;
const QUESTION = 0x3f;

export class XmlCursor {
  /** The document. Its last byte is 0, which is illegal in XML. */
  bytes: Uint8Array = new Uint8Array(1);
  view = new DataView(this.bytes.buffer);
  at = 0;
  /** Number of line ends before the position. */
  lines = 0;

  open(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Skips space. Returns the byte behind it. */
  space(): number {
    const { bytes } = this;
    let { at } = this;
    for (;;) {
      const byte = bytes[at]!;
      if (byte === LF) this.lines++;
      else if (byte === CR) this.lines += bytes[at + 1] === LF ? 0 : 1;
      else if (byte !== SPACE && byte !== TAB) {
        this.at = at;
        return byte;
      }
      at++;
    }
  }

  hasSpace(): boolean {
    const byte = this.bytes[this.at];
    return byte === SPACE || byte === LF || byte === TAB || byte === CR;
  }

  /** Skips space, comments and processing instructions. Returns the byte behind them, or 0 if one of them is not legal. */
  markup(): number {
    for (;;) {
      const byte = this.space();
      if (byte !== LESS) return byte;
      const next = this.bytes[this.at + 1];
      if (next === BANG) {
        if (!this.comment()) return 0;
      } else if (next === QUESTION) {
        if (!this.instruction()) return 0;
      } else return byte;
    }
  }

  comment(): boolean {
    const { bytes, at } = this;
    if (bytes[at + 2] !== MINUS || bytes[at + 3] !== MINUS) return false;
    this.at = at + 4;
    if (!this.#skipTo(MINUS, MINUS)) return false;
    // Two hyphens end a comment or are an error.
    if (bytes[this.at] !== GREATER) return false;
    this.at++;
    return true;
  }

  instruction(): boolean {
    const { bytes } = this;
    const start = this.at + 2;
    const end = this.nameEnd(start);
    // Targets with "xml" are illegal or reserved.
    const isReserved = (bytes[start]! | 0x20) === 0x78;
    if (end === 0 || isReserved) return false;
    for (let at = start; at < end; at++) if (bytes[at] === COLON) return false;
    this.at = end;
    if (bytes[end] !== QUESTION && !this.hasSpace()) return false;
    return this.#skipTo(QUESTION, GREATER);
  }

  /** Moves behind the next occurrence of two bytes. */
  #skipTo(first: number, second: number): boolean {
    const { bytes } = this;
    let { at } = this;
    while (bytes[at] !== first || bytes[at + 1] !== second) {
      const length = this.characterLength(at);
      if (length === 0) {
        this.at = at;
        return false;
      }
      if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) this.lines++;
      at += length;
    }
    this.at = at + 2;
    return true;
  }

  /** The length of the character at an offset, or 0 if it is illegal in XML. */
  characterLength(at: number): number {
    const byte = this.bytes[at]!;
    if (byte < 0x80) return byte >= SPACE || byte === LF || byte === CR || byte === TAB ? 1 : 0;
    const length = utf8Length(this.bytes, at);
    return length === 3 && codePointAt(this.bytes, at, 3) >= 0xfffe ? 0 : length;
  }

  /** The end of the name that begins at `start`, or 0 if there is no name or it has letters beyond ASCII. */
  nameEnd(start: number): number {
    const { bytes } = this;
    if ((BYTE_CLASS[bytes[start]!]! & LETTER) === 0 && bytes[start] !== 0x5f) return 0;
    let at = start + 1;
    while ((BYTE_CLASS[bytes[at]!]! & LABEL_BYTE) !== 0 || bytes[at] === COLON || bytes[at] === 0x2e) at++;
    return bytes[at]! >= 0x80 ? 0 : at;
  }

  /** Decodes a name. For short names this is many times faster than TextDecoder. */
  ascii(start: number, end: number): string {
    let text = '';
    for (let at = start; at < end; at++) text += String.fromCharCode(this.bytes[at]!);
    return text;
  }

  /** Reads the end tag of the element whose name extends from `nameStart` to `nameEnd`. */
  close(nameStart: number, nameEnd: number): boolean {
    const { bytes } = this;
    let { at } = this;
    if (bytes[at] !== LESS || bytes[at + 1] !== SLASH) return false;
    at += 2;
    for (let i = nameStart; i < nameEnd; i++) if (bytes[at++] !== bytes[i]) return false;
    this.at = at;
    if (this.space() !== GREATER) return false;
    this.at++;
    return true;
  }
}
