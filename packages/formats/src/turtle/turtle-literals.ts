/** Reads literals of Turtle from bytes into canonical form: strings of all kinds, numbers and booleans. */
import { RDF_NS, XSD } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import { KnownIris } from '../terms/known-iris.js';
import { TermFault } from '../terms/term-fault.js';
import { BYTE_CLASS, DIGIT, LETTER, STRING_BYTE } from '../text/byte-classes.js';
import { ByteBuffer } from '../text/byte-buffer.js';
import { APOSTROPHE, AT, BACKSLASH, CARET, CR, DOT, HASH, HYPHEN, LF, PLUS, QUOTE, UNDERSCORE } from '../text/bytes.js';
import { appendEscaped, ESCAPES, unicodeEscape } from '../text/escapes.js';
import { codePointAt } from '../text/utf8.js';
import type { TurtleIris } from './turtle-iris.js';
import { END } from './turtle-text.js';
import type { TurtleText } from './turtle-text.js';

const MAX_SUBTAG = 8;
const MAX_LANGUAGE_TAG = 255;

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const INTEGER = ascii(`"^^<${XSD}integer>`);
const DECIMAL = ascii(`"^^<${XSD}decimal>`);
const DOUBLE = ascii(`"^^<${XSD}double>`);
const TRUE = ascii(`"true"^^<${XSD}boolean>`);
const FALSE = ascii(`"false"^^<${XSD}boolean>`);
const NOTHING = new Uint8Array(0);

export class TurtleLiterals {
  readonly #text: TurtleText;
  readonly #iris: TurtleIris;
  readonly #sink: Pick<QuadSink, 'term'>;
  readonly #maxTermBytes: number;
  /** The canonical text of a literal that is not canonical in the document. */
  readonly #buffer = new ByteBuffer();
  /** Datatypes by their bytes in the document. The handles are indexes of `#suffixes`. */
  #names = new KnownIris();
  #suffixes: Uint8Array[] = [];

  constructor(text: TurtleText, iris: TurtleIris, sink: Pick<QuadSink, 'term'>, maxTermBytes: number) {
    this.#text = text;
    this.#iris = iris;
    this.#sink = sink;
    this.#maxTermBytes = maxTermBytes;
  }

  /** Forgets datatypes, because names have another meaning from here on. */
  forgetNames(): void {
    this.#names = new KnownIris();
    this.#suffixes = [];
  }

  /** Reads the literal at the position; its first byte is given. Returns 0 if there is none. */
  read(first: number): TermHandle {
    const start = this.#text.at;
    if (first === QUOTE || first === APOSTROPHE) return this.#quoted(start, first);
    if ((BYTE_CLASS[first]! & DIGIT) !== 0 || first === PLUS || first === HYPHEN || first === DOT) {
      return this.#number(start, first);
    }
    if (first === 0x74) return this.#text.isWord(start, 'true', false) ? this.#constant(TRUE, start + 4) : 0;
    if (first === 0x66) return this.#text.isWord(start, 'false', false) ? this.#constant(FALSE, start + 5) : 0;
    return 0;
  }

  /** Reads the version of the document: a string with one quote on each side. */
  skipString(quote: number): void {
    const text = this.#text;
    const start = text.at;
    text.need(start + 2);
    const isLong = text.bytes[start + 1] === quote && text.bytes[start + 2] === quote;
    if (isLong) throw new TermFault(start, 'the version is a string with one quote on each side');
    this.#buffer.length = 0;
    text.at = this.#decode(start, start + 1, quote, false);
  }

  #constant(text: Uint8Array, end: number): TermHandle {
    this.#text.at = end;
    return this.#sink.term(text, 0, text.length);
  }

  #number(start: number, first: number): TermHandle {
    const text = this.#text;
    const { bytes } = text;
    const digits = first === PLUS || first === HYPHEN ? start + 1 : start;
    let at = this.#digitsEnd(digits);
    const hasWhole = at > digits;
    let suffix = INTEGER;
    if (bytes[at] === DOT) {
      const end = this.#digitsEnd(at + 1);
      text.need(end);
      if (end > at + 1) {
        at = end;
        suffix = DECIMAL;
      } else if (hasWhole && this.#exponentEnd(end) > end) at = end;
    }
    if (!hasWhole && suffix === INTEGER) return 0;
    const end = this.#exponentEnd(at);
    if (end > at) suffix = DOUBLE;
    text.need(end);
    if (end - start > this.#maxTermBytes) throw this.#tooLong(start);
    const buffer = this.#buffer;
    buffer.length = 0;
    buffer.byte(QUOTE);
    buffer.span(bytes, start, end);
    buffer.span(suffix, 0, suffix.length);
    text.at = end;
    return this.#emitBuffer(start);
  }

  #digitsEnd(from: number): number {
    const { bytes } = this.#text;
    let at = from;
    while ((BYTE_CLASS[bytes[at]!]! & DIGIT) !== 0) at++;
    return at;
  }

  /** The end of the exponent at `at`, or `at` if there is none. */
  #exponentEnd(start: number): number {
    const text = this.#text;
    const { bytes } = text;
    if ((bytes[start]! | 0x20) !== 0x65) return start;
    text.need(start + 1);
    const digits = bytes[start + 1] === PLUS || bytes[start + 1] === HYPHEN ? start + 2 : start + 1;
    const end = this.#digitsEnd(digits);
    text.need(end);
    return end > digits ? end : start;
  }

  #quoted(start: number, quote: number): TermHandle {
    const text = this.#text;
    const { bytes } = text;
    let isLong = false;
    if (bytes[start + 1] === quote) {
      text.need(start + 2);
      isLong = bytes[start + 2] === quote;
    }
    this.#buffer.length = 0;
    if (isLong || quote === APOSTROPHE) {
      this.#buffer.byte(QUOTE);
      return this.#suffixed(start, this.#decode(start, start + (isLong ? 3 : 1), quote, isLong));
    }
    let at = start + 1;
    for (;;) {
      while ((BYTE_CLASS[bytes[at]!]! & STRING_BYTE) !== 0) at++;
      if (bytes[at] === QUOTE) return this.#suffixed(start, at + 1);
      const length = this.#canonicalLength(at);
      if (length === 0) break;
      at += length;
    }
    this.#buffer.span(bytes, start, at);
    return this.#suffixed(start, this.#decode(start, at, quote, false));
  }

  /** Length of the character or escape at `at` of a string, if it is canonical; otherwise 0. */
  #canonicalLength(at: number): number {
    const { bytes } = this.#text;
    const byte = bytes[at]!;
    if (byte >= 0x80) {
      const length = this.#text.sequence(at);
      // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
      return byte === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2]! >= 0xbe ? 0 : length;
    }
    const letter = bytes[at + 1]!;
    return byte === BACKSLASH && letter !== APOSTROPHE && ESCAPES.has(letter) ? 2 : 0;
  }

  /**
   * Appends the rest of a string, up to its closing quotes, to the buffer. Returns the offset behind them.
   * @param start of the literal
   */
  #decode(start: number, from: number, quote: number, isLong: boolean): number {
    const text = this.#text;
    const { bytes } = text;
    const buffer = this.#buffer;
    let at = from;
    for (;;) {
      const run = at;
      while ((BYTE_CLASS[bytes[at]!]! & STRING_BYTE) !== 0 && bytes[at] !== quote) at++;
      buffer.span(bytes, run, at);
      if (buffer.length > this.#maxTermBytes) throw this.#tooLong(start);
      const byte = bytes[at]!;
      if (byte === quote) {
        if (!isLong || (bytes[at + 1] === quote && bytes[at + 2] === quote)) {
          buffer.byte(QUOTE);
          return at + (isLong ? 3 : 1);
        }
        text.need(at + 2);
        appendEscaped(buffer, byte);
        at++;
      } else if (byte === BACKSLASH) at = this.#escape(at);
      else if (byte === LF || byte === CR) {
        this.#lineEnd(start, at, byte, isLong);
        appendEscaped(buffer, byte);
        at++;
      } else {
        const length = text.sequence(at);
        appendEscaped(buffer, codePointAt(bytes, at, length));
        at += length;
      }
    }
  }

  /** Appends the character of an escape. Returns the offset behind the escape. */
  #escape(at: number): number {
    const { bytes } = this.#text;
    const meant = ESCAPES.get(bytes[at + 1]!);
    appendEscaped(this.#buffer, meant ?? unicodeEscape(bytes, at, 'unknown escape in a string'));
    if (meant !== undefined) return at + 2;
    return at + (bytes[at + 1] === 0x75 ? 6 : 10);
  }

  #lineEnd(start: number, at: number, byte: number, isLong: boolean): void {
    const text = this.#text;
    if (at === text.end) {
      text.need(at);
      throw new TermFault(start, `the string has no closing quote${isLong ? 's' : ''}`);
    }
    if (!isLong) throw new TermFault(start, 'the string has no closing quote on its line', at);
    if (byte === LF || text.bytes[at + 1] !== LF) text.line++;
  }

  /** The literal whose quoted string ends at `end`. Its text is in the buffer, or in the document if the buffer is empty. */
  #suffixed(start: number, end: number): TermHandle {
    const text = this.#text;
    const at = this.#suffixStart(end);
    if (at === 0) {
      text.at = end;
      return this.#emit(start, end);
    }
    if (text.bytes[at] === AT) return this.#language(start, end, at);
    const suffix = this.#datatype(at);
    if (suffix.length === 0) return this.#emit(start, end);
    this.#fill(start, end);
    this.#buffer.span(suffix, 0, suffix.length);
    return this.#emitBuffer(start);
  }

  /** Copies a canonical string into the buffer. */
  #fill(start: number, end: number): void {
    if (this.#buffer.length > 0) return;
    if (end - start > this.#maxTermBytes) throw this.#tooLong(start);
    this.#buffer.span(this.#text.bytes, start, end);
  }

  /** The start of the language or datatype behind a string, or 0 if there is none. */
  #suffixStart(end: number): number {
    const text = this.#text;
    const byte = text.bytes[end]!;
    if (byte === AT || byte === CARET) return end;
    if (byte !== HASH && !text.isSpace(end)) return 0;
    const { line } = text;
    text.at = end;
    const next = text.space();
    if (next === END) text.need(text.end);
    if (next === AT || next === CARET) return text.at;
    text.goBack(end, line);
    return 0;
  }

  #language(start: number, end: number, sign: number): TermHandle {
    const text = this.#text;
    const { bytes } = text;
    let at = this.#subtagEnd(sign, sign + 1, LETTER);
    while (bytes[at] === HYPHEN && bytes[at + 1] !== HYPHEN) at = this.#subtagEnd(sign, at + 1, LETTER | DIGIT);
    if (at - sign > MAX_LANGUAGE_TAG) throw new TermFault(sign, 'the language tag is too long', at, sign);
    const tagEnd = at;
    if (bytes[at] === UNDERSCORE)
      throw new TermFault(sign, 'not a language tag: its parts are joined by "-"', at, sign);
    if (bytes[at] === HYPHEN) at = this.#directionEnd(sign, at);
    text.need(at);
    text.at = at;
    if (this.#buffer.length === 0 && sign === end && isLowerCase(bytes, sign, tagEnd)) return this.#emit(start, at);
    this.#fill(start, end);
    const buffer = this.#buffer;
    for (let i = sign; i < at; i++) buffer.byte(bytes[i]! >= 0x41 && bytes[i]! <= 0x5a ? bytes[i]! | 0x20 : bytes[i]!);
    return this.#emitBuffer(start);
  }

  #subtagEnd(sign: number, from: number, classes: number): number {
    const { bytes } = this.#text;
    let at = from;
    while ((BYTE_CLASS[bytes[at]!]! & classes) !== 0) at++;
    this.#text.need(at + 1);
    if (at > from && at - from <= MAX_SUBTAG) return at;
    const what = 'not a language tag: its parts have one to eight letters (digits after the first part)';
    throw new TermFault(sign, what, at, sign);
  }

  #directionEnd(sign: number, start: number): number {
    const { bytes } = this.#text;
    let at = start + 2;
    while ((BYTE_CLASS[bytes[at]!]! & LETTER) !== 0) at++;
    const name = at - start === 5 ? String.fromCharCode(bytes[start + 2]!, bytes[start + 3]!, bytes[start + 4]!) : '';
    if (name === 'ltr' || name === 'rtl') return at;
    throw new TermFault(start, 'the base direction must be "--ltr" or "--rtl"', at, sign);
  }

  /** Reads the datatype behind `^^`. Returns its canonical text, which is empty for xsd:string. */
  #datatype(carets: number): Uint8Array {
    const text = this.#text;
    if (text.bytes[carets + 1] !== CARET) {
      text.need(carets + 1);
      throw text.unexpected(carets, '"^^" and a datatype');
    }
    text.at = carets + 2;
    const byte = text.space();
    if (byte === END) text.need(text.end);
    const start = text.at;
    const end = text.knowableEnd(start);
    const known = end === 0 ? undefined : this.#names.find(text.view, start, end);
    if (known !== undefined) {
      text.at = end;
      return this.#suffixes[known.handle]!;
    }
    if (!this.#iris.read(byte)) throw text.unexpected(start, 'the IRI of a datatype');
    const suffix = this.#newSuffix(start);
    if (text.at === end) this.#names.add(text.view, start, end, this.#suffixes.push(suffix) - 1);
    return suffix;
  }

  #newSuffix(start: number): Uint8Array {
    const iris = this.#iris;
    const iri = new TextDecoder().decode(iris.bytes.subarray(iris.start, iris.end));
    if (iri === `<${XSD}string>`) return NOTHING;
    if (iri === `<${RDF_NS}langString>` || iri === `<${RDF_NS}dirLangString>`) {
      throw new TermFault(start, 'a literal of rdf:langString or rdf:dirLangString needs a language tag');
    }
    return ascii(`^^${iri}`);
  }

  #emit(start: number, end: number): TermHandle {
    if (this.#buffer.length > 0) return this.#emitBuffer(start);
    if (end - start > this.#maxTermBytes) throw this.#tooLong(start);
    return this.#sink.term(this.#text.bytes, start, end);
  }

  #emitBuffer(start: number): TermHandle {
    const { bytes, length } = this.#buffer;
    if (length > this.#maxTermBytes) throw this.#tooLong(start);
    return this.#sink.term(bytes, 0, length);
  }

  #tooLong(at: number): TermFault {
    return new TermFault(at, `the term is longer than ${this.#maxTermBytes} bytes`);
  }
}

function isLowerCase(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! >= 0x41 && bytes[at]! <= 0x5a) return false;
  return true;
}
