/**
 * Reads one term of N-Triples from bytes, checks it and passes it to the sink in canonical form. A term that is canonical is
 * passed as a span of the input; any other term is rewritten in a buffer.
 *
 * A LF or CR must follow the term: every loop stops there, so no loop compares with the length. The loops are written out in
 * one class, because a call for each byte would halve the speed.
 */
import { LONG_IRI, MAX_IRI_BYTES } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import {
  BLANK,
  BYTE_CLASS,
  DIGIT,
  IRI_BYTE,
  LABEL_BYTE,
  LETTER,
  LINE_END,
  SCHEME_BYTE,
  STRING_BYTE,
} from '../text/byte-classes.js';
import { ByteBuffer } from '../text/byte-buffer.js';
import { appendEscaped, ESCAPES, illegalInIri, unicodeEscape } from '../text/escapes.js';
import { shownToken } from '../text/shown-token.js';
import { codePointAt, isLabelCodePoint, utf8Length } from '../text/utf8.js';
import { TermFault } from './term-fault.js';

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const LESS = 0x3c;
const GREATER = 0x3e;
const DOT = 0x2e;
const HYPHEN = 0x2d;
const MAX_SUBTAG = 8;
const MAX_LANGUAGE_TAG = 255;

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const XSD_STRING = ascii('<http://www.w3.org/2001/XMLSchema#string>');
const RDF_LANG_STRING = ascii('<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>');
const RDF_DIR_LANG_STRING = ascii('<http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString>');

/** Length of the longest IRI with its `<` and `>`. */
const MAX_IRI_SPAN = MAX_IRI_BYTES + 2;

export class TermReader {
  /** The input, and the position behind the last term. */
  bytes: Uint8Array = new Uint8Array(0);
  position = 0;
  readonly #sink: QuadSink;
  readonly #maxTermBytes: number;
  readonly #maxDepth: number;
  /** The canonical text of a term that is not canonical in the input. Empty if the term is a span of the input. */
  readonly #buffer = new ByteBuffer();

  constructor(sink: QuadSink, maxTermBytes: number, maxDepth: number) {
    this.#sink = sink;
    this.#maxTermBytes = maxTermBytes;
    this.#maxDepth = maxDepth;
  }

  /** Whether the last term was passed as a span of the input. */
  get wasCanonical(): boolean {
    return this.#buffer.length === 0;
  }

  /** Moves behind spaces and tabs and returns the byte there. */
  skipBlanks(): number {
    const { bytes } = this;
    let at = this.position;
    let byte = bytes[at]!;
    while (byte === 0x20 || byte === 0x09) byte = bytes[++at]!;
    this.position = at;
    return byte;
  }

  /** Reads a subject or a graph name: an IRI or a blank node. */
  resource(what: string): TermHandle {
    const byte = this.bytes[this.position];
    if (byte === LESS) return this.iri(what);
    if (byte === 0x5f) return this.#blankNode();
    throw this.#unexpected(what, 'an IRI or a blank node');
  }

  object(what: string, depth: number): TermHandle {
    const { bytes, position } = this;
    const byte = bytes[position];
    if (byte === LESS) return bytes[position + 1] === LESS ? this.#tripleTerm(depth) : this.iri(what);
    if (byte === QUOTE) return this.#literal(position);
    if (byte === 0x5f) return this.#blankNode();
    throw this.#unexpected(what, 'an IRI, a blank node, a literal or a triple term');
  }

  iri(what: string): TermHandle {
    const { bytes, position } = this;
    if (bytes[position] !== LESS) throw this.#unexpected(what, 'an IRI');
    if (bytes[position + 1] === LESS) throw new TermFault(position, `a triple cannot be the ${what}`);
    this.#buffer.length = 0;
    const end = this.#scanIri(position);
    if (end - position > MAX_IRI_SPAN) this.#checkIriLength(position, end, 0);
    return this.#emit(position, end);
  }

  #tripleTerm(depth: number): TermHandle {
    const { bytes, position } = this;
    if (bytes[position + 2] !== 0x28) {
      throw new TermFault(position, 'reified triples "<< … >>" are not N-Triples; a triple term is "<<( … )>>"');
    }
    if (depth >= this.#maxDepth) throw new TermFault(position, `triple terms nested deeper than ${this.#maxDepth}`);
    this.position = position + 3;
    this.skipBlanks();
    const subject = this.resource('subject of a triple term');
    this.skipBlanks();
    const predicate = this.iri('predicate of a triple term');
    this.skipBlanks();
    const object = this.object('object of a triple term', depth + 1);
    this.skipBlanks();
    const at = this.position;
    if (bytes[at] !== 0x29 || bytes[at + 1] !== GREATER || bytes[at + 2] !== GREATER) {
      throw this.#unexpected('triple term', '")>>"');
    }
    this.position = at + 3;
    return this.#sink.tripleTerm(subject, predicate, object);
  }

  #blankNode(): TermHandle {
    const { bytes, position } = this;
    if (bytes[position + 1] !== 0x3a) throw new TermFault(position, 'a blank node starts with "_:"');
    const start = position + 2;
    let at = start;
    let end = start; // a label does not end with a dot
    for (;;) {
      const byte = bytes[at]!;
      if ((BYTE_CLASS[byte]! & LABEL_BYTE) !== 0 && !(at === start && byte === HYPHEN)) end = ++at;
      else if (byte === DOT && at !== start) at++;
      else if (byte >= 0x80) {
        const length = this.#sequence(at);
        if (!isLabelCodePoint(codePointAt(bytes, at, length), at === start)) break;
        end = at += length;
      } else break;
    }
    if (end === start) throw new TermFault(start, 'a blank node needs a label of letters, digits and "_"');
    if (end - start > this.#maxTermBytes) throw this.#tooLong(position);
    this.position = end;
    return this.#sink.blankNode(bytes, start, end);
  }

  /** Checks the IRI that starts at `start` and returns the offset behind it. Decodes an IRI with escapes into the buffer. */
  #scanIri(start: number): number {
    const { bytes } = this;
    let at = start + 1;
    if ((BYTE_CLASS[bytes[at]!]! & LETTER) !== 0) {
      do at++;
      while ((BYTE_CLASS[bytes[at]!]! & SCHEME_BYTE) !== 0);
      if (bytes[at] === 0x3a) {
        for (;;) {
          while ((BYTE_CLASS[bytes[at]!]! & IRI_BYTE) !== 0) at++;
          if (bytes[at]! < 0x80) break;
          at += this.#sequence(at);
        }
        if (bytes[at] === GREATER) return at + 1;
      }
    }
    return this.#decodeIri(start);
  }

  /** Checks the length of an IRI. Escapes count as one character: a decoded IRI is in the buffer, from `before` on. */
  #checkIriLength(start: number, end: number, before: number): void {
    const length = this.#buffer.length > before ? this.#buffer.length - before : end - start;
    if (length > MAX_IRI_SPAN) throw new TermFault(start, LONG_IRI);
  }

  // The slow path, which also finds the fault if there is no legal IRI.
  #decodeIri(start: number): number {
    const { bytes } = this;
    const from = this.#buffer.length;
    this.#buffer.byte(LESS);
    let at = start + 1;
    while (bytes[at] !== GREATER) {
      const byte = bytes[at]!;
      if (byte === BACKSLASH) {
        const code = unicodeEscape(bytes, at, 'in an IRI only \\u and \\U escapes are allowed');
        if (code < 0x80 && (BYTE_CLASS[code]! & IRI_BYTE) === 0) throw illegalInIri(at, code);
        this.#buffer.codePoint(code);
        at += bytes[at + 1] === 0x75 ? 6 : 10;
      } else if (byte >= 0x80) {
        const length = this.#sequence(at);
        for (let i = 0; i < length; i++) this.#buffer.byte(bytes[at + i]!);
        at += length;
      } else if ((BYTE_CLASS[byte]! & IRI_BYTE) !== 0) {
        this.#buffer.byte(byte);
        at++;
      } else if ((BYTE_CLASS[byte]! & LINE_END) !== 0) {
        throw new TermFault(start, 'the IRI has no closing ">" on its line');
      } else throw illegalInIri(at, byte);
    }
    this.#buffer.byte(GREATER);
    if (!this.#hasScheme(from + 1)) throw new TermFault(start, 'the IRI is not absolute: it must start with a scheme');
    return at + 1;
  }

  #hasScheme(at: number): boolean {
    const scratch = this.#buffer.bytes;
    if ((BYTE_CLASS[scratch[at]!]! & LETTER) === 0) return false;
    do at++;
    while ((BYTE_CLASS[scratch[at]!]! & SCHEME_BYTE) !== 0);
    return scratch[at] === 0x3a;
  }

  /** Skips a quoted string that is not a term: the label of a version. */
  skipString(): void {
    this.#buffer.length = 0;
    this.position = this.#closingQuote(this.position) + 1;
  }

  #literal(start: number): TermHandle {
    this.#buffer.length = 0;
    const end = this.#closingQuote(start) + 1;
    const next = this.bytes[end];
    if (next === DOT || next === 0x29) return this.#emit(start, end);
    return this.#emit(start, this.#suffix(start, end));
  }

  #closingQuote(start: number): number {
    const { bytes } = this;
    let at = start + 1;
    for (;;) {
      while ((BYTE_CLASS[bytes[at]!]! & STRING_BYTE) !== 0) at++;
      if (bytes[at] === QUOTE) return at;
      const length = this.#canonicalLength(at);
      if (length === 0) return this.#decodeString(start, at);
      at += length;
    }
  }

  /** Length of the character or escape at `at` of a string, if it is canonical; otherwise 0. */
  #canonicalLength(at: number): number {
    const { bytes } = this;
    const byte = bytes[at]!;
    if (byte >= 0x80) {
      const length = this.#sequence(at);
      // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
      return byte === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2]! >= 0xbe ? 0 : length;
    }
    if (byte !== BACKSLASH) return 0;
    const letter = bytes[at + 1]!;
    return ESCAPES.has(letter) && letter !== 0x27 ? 2 : 0;
  }

  /** Rewrites the string that starts at `start` and is canonical up to `from`. Returns the offset of its closing quote. */
  #decodeString(start: number, from: number): number {
    const { bytes } = this;
    this.#buffer.span(bytes, start, from);
    let at = from;
    while (bytes[at] !== QUOTE) {
      const byte = bytes[at]!;
      if (byte === BACKSLASH) {
        const plain = ESCAPES.get(bytes[at + 1]!);
        appendEscaped(this.#buffer, plain ?? unicodeEscape(bytes, at, 'unknown escape in a string'));
        if (plain !== undefined) at += 2;
        else at += bytes[at + 1] === 0x75 ? 6 : 10;
      } else if ((BYTE_CLASS[byte]! & LINE_END) !== 0) {
        throw new TermFault(start, 'the string has no closing quote on its line');
      } else {
        const length = this.#sequence(at);
        appendEscaped(this.#buffer, codePointAt(bytes, at, length));
        at += length;
      }
      if (this.#buffer.length > this.#maxTermBytes) throw this.#tooLong(start);
    }
    this.#buffer.byte(QUOTE);
    return at;
  }

  /** Reads the language or the datatype behind the closing quote, if there is one. Returns the offset behind the literal. */
  #suffix(start: number, afterQuote: number): number {
    const { bytes } = this;
    let at = afterQuote;
    while ((BYTE_CLASS[bytes[at]!]! & BLANK) !== 0) at++;
    const byte = bytes[at];
    if (byte === 0x40) {
      if (at !== afterQuote && this.#buffer.length === 0) this.#buffer.span(bytes, start, afterQuote);
      return this.#language(start, at);
    }
    if (byte === 0x5e && bytes[at + 1] === 0x5e) return this.#datatype(start, afterQuote, at);
    return afterQuote;
  }

  #language(start: number, sign: number): number {
    const { bytes } = this;
    let at = this.#subtag(sign, sign + 1, LETTER);
    while (bytes[at] === HYPHEN && bytes[at + 1] !== HYPHEN) at = this.#subtag(sign, at + 1, LETTER | DIGIT);
    if (at - sign > MAX_LANGUAGE_TAG) throw new TermFault(sign, 'the language tag is too long');
    const end = bytes[at] === HYPHEN ? this.#direction(at) : at;
    let upper = false;
    for (let i = sign; i < at; i++) if (bytes[i]! >= 0x41 && bytes[i]! <= 0x5a) upper = true;
    if (upper && this.#buffer.length === 0) this.#buffer.span(bytes, start, sign);
    if (this.#buffer.length > 0) {
      for (let i = sign; i < end; i++)
        this.#buffer.byte(bytes[i]! >= 0x41 && bytes[i]! <= 0x5a ? bytes[i]! | 0x20 : bytes[i]!);
    }
    return end;
  }

  #subtag(sign: number, from: number, classes: number): number {
    let at = from;
    while ((BYTE_CLASS[this.bytes[at]!]! & classes) !== 0) at++;
    if (at === from || at - from > MAX_SUBTAG) {
      throw new TermFault(
        sign,
        'not a language tag: its parts have one to eight letters (digits after the first part)',
      );
    }
    return at;
  }

  #direction(at: number): number {
    const { bytes } = this;
    let end = at + 2;
    while ((BYTE_CLASS[bytes[end]!]! & LETTER) !== 0) end++;
    const name = end - at === 5 ? String.fromCharCode(bytes[at + 2]!, bytes[at + 3]!, bytes[at + 4]!) : '';
    if (name !== 'ltr' && name !== 'rtl') throw new TermFault(at, 'the base direction must be "--ltr" or "--rtl"');
    return end;
  }

  #datatype(start: number, afterQuote: number, carets: number): number {
    const { bytes } = this;
    let at = carets + 2;
    while ((BYTE_CLASS[bytes[at]!]! & BLANK) !== 0) at++;
    if (bytes[at] !== LESS) throw new TermFault(at, 'expected the IRI of a datatype after "^^"');
    if (at !== afterQuote + 2 && this.#buffer.length === 0) this.#buffer.span(bytes, start, afterQuote);
    const string = this.#buffer.length;
    if (string > 0) {
      this.#buffer.byte(0x5e);
      this.#buffer.byte(0x5e);
    }
    const before = this.#buffer.length;
    const end = this.#scanIri(at);
    const decoded = this.#buffer.length > before;
    if (end - at > MAX_IRI_SPAN) this.#checkIriLength(at, end, before);
    if (decoded && string === 0) this.#moveBehindString(start, at);
    else if (!decoded && string > 0) this.#buffer.span(this.bytes, at, end);
    return this.#checkDatatype(start, afterQuote, at, end, string);
  }

  // The buffer has only the decoded IRI: inserts the string and the carets before it.
  #moveBehindString(start: number, at: number): void {
    const iri = this.#buffer.bytes.slice(0, this.#buffer.length);
    this.#buffer.length = 0;
    this.#buffer.span(this.bytes, start, at);
    for (const byte of iri) this.#buffer.byte(byte);
  }

  #checkDatatype(start: number, afterQuote: number, at: number, end: number, string: number): number {
    const source = this.#buffer.length > 0 ? this.#buffer.bytes : this.bytes;
    const to = this.#buffer.length > 0 ? this.#buffer.length : end;
    if (endsWith(source, to, RDF_LANG_STRING) || endsWith(source, to, RDF_DIR_LANG_STRING)) {
      throw new TermFault(at, 'a literal of rdf:langString or rdf:dirLangString needs a language tag');
    }
    if (endsWith(source, to, XSD_STRING)) {
      if (string > 0) this.#buffer.length = string;
      else {
        this.#buffer.length = 0;
        this.#buffer.span(this.bytes, start, afterQuote);
      }
    }
    return end;
  }

  #emit(start: number, end: number): TermHandle {
    this.position = end;
    const used = this.#buffer.length;
    if (used > 0) {
      if (used > this.#maxTermBytes) throw this.#tooLong(start);
      return this.#sink.term(this.#buffer.bytes, 0, used);
    }
    if (end - start > this.#maxTermBytes) throw this.#tooLong(start);
    return this.#sink.term(this.bytes, start, end);
  }

  #sequence(at: number): number {
    const length = utf8Length(this.bytes, at);
    if (length === 0) throw new TermFault(at, 'not UTF-8');
    return length;
  }

  #tooLong(at: number): TermFault {
    return new TermFault(at, `the term is longer than ${this.#maxTermBytes} bytes`);
  }

  #unexpected(what: string, expected: string): TermFault {
    return new TermFault(this.position, `expected ${expected} (${what}), found ${this.found()}`);
  }

  /** The text at the position, for a message. */
  found(): string {
    const { bytes, position } = this;
    const byte = bytes[position]!;
    if ((BYTE_CLASS[byte]! & LINE_END) !== 0) return 'the end of the line';
    let end = position;
    while (end < position + 40 && (BYTE_CLASS[bytes[end]!]! & (LINE_END | BLANK)) === 0) end++;
    return shownToken(bytes.subarray(position, end));
  }
}

function endsWith(bytes: Uint8Array, end: number, suffix: Uint8Array): boolean {
  const start = end - suffix.length;
  // Most datatypes differ near their ends, so the loop runs backwards.
  for (let i = suffix.length - 2; i >= 0; i--) if (bytes[start + i] !== suffix[i]) return false;
  return true;
}
