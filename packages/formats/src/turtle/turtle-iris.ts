/** Reads IRIs of Turtle from bytes: `<…>`, absolute or relative, and prefixed names. The result is a span of bytes. */
import { LONG_IRI, MAX_IRI_BYTES } from '@quadrille/model';
import { TermFault } from '../terms/term-fault.js';
import { BYTE_CLASS, IRI_BYTE, LABEL_BYTE, LETTER, SCHEME_BYTE } from '../text/byte-classes.js';
import { ByteBuffer } from '../text/byte-buffer.js';
import {
  BACKSLASH,
  COLON,
  DOT,
  GREATER,
  HASH,
  hexDigit,
  HYPHEN,
  isLineEnd,
  LESS,
  PERCENT,
  QUESTION,
  SLASH,
} from '../text/bytes.js';
import { illegalInIri, unicodeEscape } from '../text/escapes.js';
import { TurtleBase } from './turtle-base.js';
import { TurtlePrefixes } from './turtle-prefixes.js';
import type { TurtleText } from './turtle-text.js';

/** A longer local name makes an IRI that is too long, even if each of its characters is escaped. */
const MAX_LOCAL_BYTES = 2 * MAX_IRI_BYTES;

/** Characters that a backslash may precede in a name (PN_LOCAL_ESC). */
const NAME_ESCAPES = new Set([..."_~.-!$&'()*+,;=/?#@%"].map((char) => char.charCodeAt(0)));

const NO_BASE =
  'and there is no base to resolve it: declare @base in the document, or load it with a base (baseIRI, --base)';

const NO_BYTES = new Uint8Array(0);

export class TurtleIris {
  /** The last IRI with its `<` and `>`: the span of these bytes from `start` to `end`. */
  bytes: Uint8Array = NO_BYTES;
  start = 0;
  end = 0;
  readonly prefixes = new TurtlePrefixes();
  readonly #text: TurtleText;
  readonly #noBase: string;
  readonly #buffer = new ByteBuffer();
  #base: TurtleBase | undefined;
  /** Whether the last local name has escapes. */
  #isEscaped = false;

  /** @param noBase what the error says of a relative IRI that has no base */
  constructor(text: TurtleText, baseIRI: string | undefined, noBase = NO_BASE) {
    this.#text = text;
    this.#noBase = noBase;
    if (baseIRI !== undefined) this.setBase(baseIRI);
  }

  setBase(iri: string): void {
    this.#base = new TurtleBase(iri);
  }

  /** Reads the IRI at the position; its first byte is given. Returns whether there is an IRI. */
  read(byte: number): boolean {
    return byte === LESS ? this.reference() : this.#name();
  }

  /** Reads `<…>`. */
  reference(): true {
    const text = this.#text;
    const start = text.at;
    let end = this.#absoluteEnd(start);
    if (end === 0) {
      end = this.#absolute(start);
      this.bytes = this.#buffer.bytes;
      this.start = 0;
      this.end = this.#buffer.length;
    } else {
      this.bytes = text.bytes;
      this.start = start;
      this.end = end;
    }
    if (this.end - this.start > MAX_IRI_BYTES + 2) throw new TermFault(start, LONG_IRI, start, start);
    text.at = end;
    return true;
  }

  /** Decodes and resolves an IRI into the buffer. Returns its end in the document. */
  #absolute(start: number): number {
    try {
      const end = this.#decode(start);
      this.#resolve(start, end);
      return end;
    } catch (error) {
      throw error instanceof TermFault ? new TermFault(error.at, error.reason, error.seen, start) : error;
    }
  }

  /** Reads `<…>` without resolving it or checking its scheme, for names that only look like an IRI. */
  unresolved(): void {
    const text = this.#text;
    text.at = this.#decode(text.at);
    this.bytes = this.#buffer.bytes;
    this.start = 0;
    this.end = this.#buffer.length;
  }

  /** The end of an absolute IRI without escapes, or 0 for any other IRI. */
  #absoluteEnd(start: number): number {
    const text = this.#text;
    const { bytes } = text;
    let at = start + 1;
    if ((BYTE_CLASS[bytes[at]!]! & LETTER) === 0) return 0;
    while ((BYTE_CLASS[bytes[at]!]! & SCHEME_BYTE) !== 0) at++;
    if (bytes[at] !== COLON) return 0;
    for (;;) {
      while ((BYTE_CLASS[bytes[at]!]! & IRI_BYTE) !== 0) at++;
      if (bytes[at]! < 0x80) break;
      at += text.sequence(at);
    }
    return bytes[at] === GREATER ? at + 1 : 0;
  }

  /** Decodes an IRI into the buffer. Returns its end in the document. */
  #decode(start: number): number {
    const text = this.#text;
    const buffer = this.#buffer;
    const { bytes } = text;
    buffer.length = 0;
    buffer.byte(LESS);
    let at = start + 1;
    while (bytes[at] !== GREATER) {
      const byte = bytes[at]!;
      if (buffer.length > MAX_IRI_BYTES + 1) throw new TermFault(start, LONG_IRI);
      if ((BYTE_CLASS[byte]! & IRI_BYTE) !== 0) {
        buffer.byte(byte);
        at++;
      } else if (byte === BACKSLASH) {
        const code = unicodeEscape(bytes, at, 'an IRI may have \\u and \\U escapes only');
        if (code < 0x80 && (BYTE_CLASS[code]! & IRI_BYTE) === 0) throw illegalInIri(at, code);
        buffer.codePoint(code);
        at += bytes[at + 1] === 0x75 ? 6 : 10;
      } else if (byte >= 0x80) {
        const length = text.sequence(at);
        buffer.span(bytes, at, at + length);
        at += length;
      } else if (isLineEnd(byte)) {
        throw new TermFault(start, 'the IRI has no closing ">" on its line', at);
      } else throw illegalInIri(at, byte);
    }
    buffer.byte(GREATER);
    return at + 1;
  }

  /** Resolves the IRI in the buffer, unless it is absolute. */
  #resolve(start: number, end: number): void {
    const buffer = this.#buffer;
    if (hasScheme(buffer.bytes)) return;
    const base = this.#base;
    if (base === undefined) {
      throw new TermFault(start, `the IRI ${this.#shown(start, end)} is relative, ${this.#noBase}`);
    }
    const reference = buffer.slice(1);
    if (hasColonInFirstSegment(reference)) {
      throw new TermFault(start, `the IRI ${this.#shown(start, end)} does not begin with a scheme`);
    }
    const before = base.startFor(reference, 0, reference.length - 1);
    buffer.length = 1;
    if (before === undefined) {
      const text = new TextDecoder().decode(reference.subarray(0, -1));
      const iri = new TextEncoder().encode(base.resolve(text));
      buffer.span(iri, 0, iri.length);
      buffer.byte(GREATER);
    } else {
      buffer.span(before, 0, before.length);
      buffer.span(reference, 0, reference.length);
    }
    if (!hasScheme(buffer.bytes)) throw new TermFault(start, `the base ${JSON.stringify(base.iri)} is not absolute`);
  }

  #shown(start: number, end: number): string {
    const text = new TextDecoder().decode(this.#text.bytes.subarray(start, Math.min(end, start + 100)));
    return end - start > 100 ? `${text}…` : text;
  }

  #name(): boolean {
    const text = this.#text;
    const { bytes, at: start } = text;
    const colon = this.#prefixEnd(start);
    if (colon < 0) return false;
    const from = colon + 1;
    const end = this.#localEnd(start, from);
    const namespace = this.prefixes.find(bytes, start, colon);
    if (namespace === undefined) {
      const name = new TextDecoder().decode(bytes.subarray(start, from));
      throw new TermFault(start, `the prefix ${JSON.stringify(name)} is not declared`);
    }
    const buffer = this.#buffer;
    buffer.length = 0;
    buffer.reserve(namespace.length + end - from + 2);
    buffer.byte(LESS);
    buffer.span(namespace, 0, namespace.length);
    if (this.#isEscaped) {
      for (let at = from; at < end; at++) {
        if (bytes[at] === BACKSLASH) at++;
        buffer.byte(bytes[at]!);
      }
    } else buffer.span(bytes, from, end);
    buffer.byte(GREATER);
    if (buffer.length > MAX_IRI_BYTES + 2) throw new TermFault(start, LONG_IRI);
    this.bytes = buffer.bytes;
    this.start = 0;
    this.end = buffer.length;
    text.at = end;
    return true;
  }

  /** Reads the prefix and the colon of a declaration. Returns the name of the prefix, or undefined if there is none. */
  prefix(): Uint8Array | undefined {
    const text = this.#text;
    const colon = this.#prefixEnd(text.at);
    if (colon < 0) return undefined;
    const name = text.bytes.slice(text.at, colon);
    text.at = colon + 1;
    return name;
  }

  /** The offset of the colon of the name that begins at `start`, or -1 if there is no name. */
  #prefixEnd(start: number): number {
    const text = this.#text;
    const { bytes } = text;
    let at = start;
    const last = start + MAX_IRI_BYTES;
    while ((BYTE_CLASS[bytes[at]!]! & LABEL_BYTE) !== 0 && at <= last) at++;
    if (bytes[at] !== COLON) {
      for (;;) {
        if (at > last) throw new TermFault(start, `a prefix is longer than ${MAX_IRI_BYTES} bytes`);
        if (bytes[at] === DOT && at > start) at++;
        else {
          const length = text.nameCharacter(at, at === start);
          if (length === 0) break;
          at += length;
        }
      }
      text.need(at);
    }
    if (bytes[at] !== COLON || (at > start && bytes[at - 1] === DOT)) return -1;
    const first = bytes[start]!;
    return at === start || first >= 0x80 || (BYTE_CLASS[first]! & LETTER) !== 0 ? at : -1;
  }

  /** The end of the local name that begins at `start`. Its prefix begins at `name`. */
  #localEnd(name: number, start: number): number {
    const text = this.#text;
    const { bytes } = text;
    this.#isEscaped = false;
    let at = start;
    let end = start;
    for (;;) {
      if (at - start > MAX_LOCAL_BYTES) throw new TermFault(name, LONG_IRI);
      const byte = bytes[at]!;
      if ((BYTE_CLASS[byte]! & LABEL_BYTE) !== 0 && (byte !== HYPHEN || at > start)) end = ++at;
      else if (byte === COLON) end = ++at;
      // A dot is part of the name if another character of the name follows.
      else if (byte === DOT && at > start) at++;
      else if (byte === PERCENT) end = at = this.#percentEnd(at);
      else if (byte === BACKSLASH) end = at = this.#escapeEnd(at);
      else {
        const length = byte < 0x80 ? 0 : text.nameCharacter(at, at === start);
        if (length === 0) break;
        end = at += length;
      }
    }
    if (!this.#isEscaped && end - start > MAX_IRI_BYTES) throw new TermFault(name, LONG_IRI);
    if (at >= text.end && !text.isLast) throw new TermFault(name, 'the name is not complete', at);
    return end;
  }

  #percentEnd(at: number): number {
    const { bytes } = this.#text;
    const isHex = hexDigit(bytes[at + 1]!) >= 0 && hexDigit(bytes[at + 2]!) >= 0;
    if (!isHex) throw new TermFault(at, '"%" in a name needs two hexadecimal digits', at + 2);
    return at + 3;
  }

  #escapeEnd(at: number): number {
    const letter = this.#text.bytes[at + 1]!;
    if (!NAME_ESCAPES.has(letter)) {
      throw new TermFault(at, "a backslash in a name needs one of _~.-!$&'()*+,;=/?#@% behind it", at + 1);
    }
    this.#isEscaped = true;
    return at + 2;
  }
}

/** Whether the first segment has a colon, which is illegal in a relative reference (RFC 3986, section 4.2). */
function hasColonInFirstSegment(reference: Uint8Array): boolean {
  for (const byte of reference) {
    if (byte === COLON) return true;
    if (byte === SLASH || byte === QUESTION || byte === HASH) return false;
  }
  return false;
}

/** Whether the IRI behind a `<` begins with a scheme. */
function hasScheme(bytes: Uint8Array): boolean {
  let at = 1;
  if ((BYTE_CLASS[bytes[at]!]! & LETTER) === 0) return false;
  while ((BYTE_CLASS[bytes[at]!]! & SCHEME_BYTE) !== 0) at++;
  return bytes[at] === COLON;
}
