/** The available bytes of a Turtle document, and the position of the reader. */
import { TermFault } from '../terms/term-fault.js';
import { MIN_KNOWN_BYTES } from '../terms/known-iris.js';
import { BYTE_CLASS, IRI_BYTE, LABEL_BYTE } from '../text/byte-classes.js';
import { COLON, CR, DOT, GREATER, HASH, HYPHEN, isLineEnd, LESS, LF, SPACE, TAB } from '../text/bytes.js';
import { shownToken } from '../text/shown-token.js';
import { codePointAt, isLabelCodePoint, utf8Length } from '../text/utf8.js';

/** Result of {@link TurtleText.space} if no byte is left. */
export const END = -1;
/** Length of the longest UTF-8 sequence without its first byte. */
const SEQUENCE_REST = 3;
const MAX_FOUND_BYTES = 40;

/** 1 for bytes that end every name. */
const NAME_END = new Uint8Array(256);
/** Longer names and IRIs are not looked up by their bytes. */
const MAX_KNOWABLE_BYTES = 256;
for (const char of ' \t\r\n,;') NAME_END[char.charCodeAt(0)] = 1;

/** Thrown if a token may continue behind the available bytes. The token is read again when there are more. */
class TokenCut extends Error {}
export const TOKEN_CUT = new TokenCut('the token is not complete');

const NOTHING = Uint8Array.of(LF);
const VIEW_OF_NOTHING = new DataView(NOTHING.buffer);

export class TurtleText {
  bytes: Uint8Array = NOTHING;
  view: DataView = VIEW_OF_NOTHING;
  at = 0;
  /** End of the bytes. It holds a LF that does not belong to the document: every loop over a token stops there. */
  end = 0;
  /** Whether the document ends at `end`. */
  isLast = false;
  /** The line of the position, from 1. */
  line = 1;
  #inComment = false;

  /** Continues with other bytes. Those from `at` to `end` are unread, and a LF is at `end`. */
  open(bytes: Uint8Array, at: number, end: number, isLast: boolean): void {
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    this.at = at;
    this.end = end;
    this.isLast = isLast;
  }

  /** Goes back to the start of a token. */
  goBack(at: number, line: number): void {
    this.at = at;
    this.line = line;
    this.#inComment = false;
  }

  /** Skips space and comments. Returns the byte behind them, or {@link END}. */
  space(): number {
    const { bytes, end } = this;
    if (this.#inComment) this.#comment(this.at);
    let { at } = this;
    while (at < end && !this.#inComment) {
      const byte = bytes[at]!;
      if (byte === LF) this.line++;
      else if (byte === CR) {
        // The next chunk may begin with the LF of this line end.
        if (at + 1 === end && !this.isLast) break;
        if (at + 1 === end || bytes[at + 1] !== LF) this.line++;
      } else if (byte === HASH) {
        this.#comment(at + 1);
        ({ at } = this);
        continue;
      } else if (byte !== SPACE && byte !== TAB) {
        this.at = at;
        return byte;
      }
      at++;
    }
    this.at = at;
    return END;
  }

  /** Moves to the end of the line. At the end of the bytes the comment continues in the next chunk. */
  #comment(from: number): void {
    const { bytes, end } = this;
    let at = from;
    this.#inComment = true;
    while (at < end) {
      const byte = bytes[at]!;
      if (isLineEnd(byte)) {
        this.#inComment = false;
        break;
      }
      const length = byte < 0x80 ? 1 : utf8Length(bytes, at);
      if (length === 0) {
        if (this.isLast || at + SEQUENCE_REST < end) throw new TermFault(at, 'not UTF-8');
        break;
      }
      at += length;
    }
    this.at = at;
  }

  /** Throws if the byte at an offset is in a later chunk. */
  need(at: number): void {
    if (at >= this.end && !this.isLast) throw TOKEN_CUT;
  }

  isSpace(at: number): boolean {
    const byte = this.bytes[at];
    return byte === SPACE || byte === LF || byte === TAB || byte === CR;
  }

  /** The length of the character beyond ASCII at an offset. */
  sequence(at: number): number {
    const length = utf8Length(this.bytes, at);
    if (length === 0) throw new TermFault(at, 'not UTF-8', at + SEQUENCE_REST);
    return length;
  }

  /** The length of the character at an offset if it is legal in a name; otherwise 0. Fewer characters may begin a name. */
  nameCharacter(at: number, isFirst: boolean): number {
    const byte = this.bytes[at]!;
    if (byte < 0x80) return (BYTE_CLASS[byte]! & LABEL_BYTE) === 0 || (isFirst && byte === 0x2d) ? 0 : 1;
    const length = this.sequence(at);
    return isLabelCodePoint(codePointAt(this.bytes, at, length), isFirst) ? length : 0;
  }

  /**
   * The end of the name or IRI that begins at `start`, for a lookup by its bytes. Returns 0 if it has to be read. Spans with equal
   * bytes that end in the same way have the same meaning.
   */
  knowableEnd(start: number): number {
    const { bytes } = this;
    const last = Math.min(start + MAX_KNOWABLE_BYTES, this.end - 1);
    let at = start;
    if (bytes[start] === LESS) {
      do at++;
      while ((BYTE_CLASS[bytes[at]!]! & IRI_BYTE) !== 0 && at < last);
      return bytes[at] === GREATER && at <= last && at - start >= MIN_KNOWN_BYTES ? at + 1 : 0;
    }
    while (at < last && NAME_END[bytes[at]!] === 0) at++;
    if (NAME_END[bytes[at]!] === 0 || at >= this.end) return 0;
    if (bytes[at - 1] === DOT) at--;
    return at - start < MIN_KNOWN_BYTES ? 0 : at;
  }

  /** Whether a keyword is at an offset and is not part of a name. */
  isWord(start: number, word: string, anyCase: boolean): boolean {
    const end = start + word.length;
    return this.#hasLetters(start, word, anyCase) && !this.isInName(end);
  }

  /** Whether a keyword is at an offset behind "@". A name may follow without space. */
  isAtWord(start: number, word: string): boolean {
    const end = start + word.length;
    if (!this.#hasLetters(start, word, false)) return false;
    this.need(end);
    return this.nameCharacter(end, false) === 0;
  }

  #hasLetters(start: number, word: string, anyCase: boolean): boolean {
    const { bytes } = this;
    for (let i = 0; i < word.length; i++) {
      const byte = bytes[start + i]!;
      if ((anyCase ? byte | 0x20 : byte) === word.charCodeAt(i)) continue;
      if (start + i >= this.end) this.need(start + i);
      return false;
    }
    return true;
  }

  /** Whether a name continues at an offset. A dot is part of the name if a character of a name follows. */
  isInName(from: number): boolean {
    const { bytes } = this;
    let at = from;
    while (bytes[at] === DOT) at++;
    this.need(at);
    return bytes[at] === COLON || this.nameCharacter(at, false) > 0;
  }

  /** The end of an IRI or a language tag that is not well formed. Undefined for an IRI without an end on its line. */
  tokenEnd(start: number): number | undefined {
    const { bytes } = this;
    let at = start + 1;
    if (bytes[start] === LESS) {
      while (at < this.end && bytes[at] !== GREATER && !isLineEnd(bytes[at])) at++;
      this.need(at);
      return bytes[at] === GREATER ? at + 1 : undefined;
    }
    while (at < this.end && ((BYTE_CLASS[bytes[at]!]! & LABEL_BYTE) !== 0 || bytes[at] === HYPHEN)) at++;
    this.need(at);
    return at;
  }

  /** The fault of an unexpected token at an offset. */
  unexpected(at: number, expected: string): TermFault {
    const { bytes, end } = this;
    if (at >= end) return new TermFault(at, `expected ${expected}, found the end of the document`);
    if (bytes[at]! >= 0x80 && utf8Length(bytes, at) === 0) return new TermFault(at, 'not UTF-8', at + SEQUENCE_REST);
    let to = at;
    while (to < end && to < at + MAX_FOUND_BYTES && !this.isSpace(to)) to++;
    while (to > at && (bytes[to]! & 0xc0) === 0x80) to--;
    return new TermFault(at, `expected ${expected}, found ${shownToken(bytes.subarray(at, to))}`, to);
  }
}
