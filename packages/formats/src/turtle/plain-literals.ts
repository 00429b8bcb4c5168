/** Literals of plain Turtle from bytes to their canonical text; see plain-turtle.ts. */
import { RDF_NS, XSD } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import { BYTE_CLASS, DIGIT, LETTER, STRING_BYTE } from '../text/byte-classes.js';
import { KnownIris, MIN_KNOWN_BYTES } from '../terms/known-iris.js';
import { codePointAt, utf8Length, writeCodePoint } from '../text/utf8.js';

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;
const CARET = 0x5e;
const DOT = 0x2e;
const MAX_LANGUAGE_BYTES = 255;
const MAX_SUBTAG = 8;

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const INTEGER = ascii(`"^^<${XSD}integer>`);
const DECIMAL = ascii(`"^^<${XSD}decimal>`);
const DOUBLE = ascii(`"^^<${XSD}double>`);
const TRUE = ascii(`"true"^^<${XSD}boolean>`);
const FALSE = ascii(`"false"^^<${XSD}boolean>`);
/** Escapes that the canonical text has too. */
const KEPT_ESCAPES = new Set([...'tbnrf"\\'].map((char) => char.charCodeAt(0)));

type Datatype = { readonly iri: Uint8Array; readonly end: number };

export class PlainLiterals {
  bytes: Uint8Array = new Uint8Array(0);
  /** Behind the last literal. */
  at = 0;
  /** Line ends in the last literal. */
  lines = 0;
  /** The last one had no end in the bytes. */
  isCut = false;
  readonly #sink: QuadSink;
  readonly #maxTermBytes: number;
  readonly #datatypeAt: (at: number) => Datatype | undefined;
  /** Names of datatypes that were seen; their handles are places in `#suffixes`. */
  #names = new KnownIris();
  #suffixes: Uint8Array[] = [];
  #scratch = new Uint8Array(1024);
  #used = 0;

  constructor(sink: QuadSink, maxTermBytes: number, datatypeAt: (at: number) => Datatype | undefined) {
    this.#sink = sink;
    this.#maxTermBytes = maxTermBytes;
    this.#datatypeAt = datatypeAt;
  }

  /** Prefixes have changed. */
  forget(): void {
    this.#names = new KnownIris();
    this.#suffixes = [];
  }

  /** The literal that begins there; 0 where it is none, or not plain. */
  read(start: number, first: number): TermHandle {
    this.lines = 0;
    this.isCut = false;
    if (first === QUOTE || first === APOSTROPHE) return this.#quoted(start, first);
    if ((BYTE_CLASS[first]! & DIGIT) !== 0 || first === 0x2b || first === 0x2d || first === DOT)
      return this.#number(start);
    if (first === 0x74) return this.#word(start, TRUE, 4);
    return first === 0x66 ? this.#word(start, FALSE, 5) : 0;
  }

  #word(start: number, text: Uint8Array, length: number): TermHandle {
    for (let i = 0; i < length; i++) if (this.bytes[start + i] !== text[i + 1]) return 0;
    if (!this.#endsAt(start + length)) return 0;
    this.at = start + length;
    return this.#sink.term(text, 0, text.length);
  }

  #number(start: number): TermHandle {
    const { bytes } = this;
    const isSigned = bytes[start] === 0x2b || bytes[start] === 0x2d;
    let at = this.#digits(isSigned ? start + 1 : start);
    const whole = at - start - (isSigned ? 1 : 0);
    let suffix = INTEGER;
    if (bytes[at] === DOT && (BYTE_CLASS[bytes[at + 1]!]! & DIGIT) !== 0) {
      at = this.#digits(at + 1);
      suffix = DECIMAL;
    } else if (whole === 0) return 0;
    if ((bytes[at]! | 0x20) === 0x65) {
      if (whole === 0) return 0;
      at += bytes[at + 1] === 0x2b || bytes[at + 1] === 0x2d ? 2 : 1;
      const end = this.#digits(at);
      if (end === at) return 0;
      at = end;
      suffix = DOUBLE;
    }
    if (!this.#endsAt(at)) return 0;
    this.#begin(at - start + suffix.length + 1);
    this.#scratch[this.#used++] = QUOTE;
    this.#copy(bytes, start, at);
    this.#copy(suffix, 0, suffix.length);
    this.at = at;
    return this.#emit();
  }

  #digits(from: number): number {
    let at = from;
    while ((BYTE_CLASS[this.bytes[at]!]! & DIGIT) !== 0) at++;
    return at;
  }

  #endsAt(at: number): boolean {
    const byte = this.bytes[at]!;
    if (byte === DOT) return this.#isSpace(this.bytes[at + 1]!);
    return byte === 0x2c || byte === 0x3b || this.#isSpace(byte);
  }

  #isSpace(byte: number): boolean {
    return byte === 0x20 || byte === LF || byte === CR || byte === 0x09;
  }

  #quoted(start: number, quote: number): TermHandle {
    const { bytes } = this;
    const isLong = bytes[start + 1] === quote && bytes[start + 2] === quote;
    if (quote === QUOTE && !isLong) {
      let at = start + 1;
      while ((BYTE_CLASS[bytes[at]!]! & STRING_BYTE) !== 0) at++;
      if (bytes[at] === QUOTE && this.#endsAt(at + 1) && at - start < this.#maxTermBytes) {
        this.at = at + 1;
        return this.#sink.term(bytes, start, at + 1);
      }
    }
    this.#begin(1024);
    this.#scratch[this.#used++] = QUOTE;
    const end = this.#string(start + (isLong ? 3 : 1), quote, isLong);
    if (end === 0) return 0;
    return this.#suffix(end);
  }

  /** Puts the text up to the closing quote into the scratch buffer; returns the place behind the quotes, or 0. */
  #string(start: number, quote: number, isLong: boolean): number {
    const { bytes } = this;
    let at = start;
    while (at < bytes.length) {
      const byte = bytes[at]!;
      if (this.#used + 16 > this.#scratch.length && !this.#grow()) return 0;
      if (byte === quote) {
        if (!isLong) return at + 1;
        if (bytes[at + 1] === quote && bytes[at + 2] === quote) return bytes[at + 3] === quote ? 0 : at + 3;
      }
      if (byte === BACKSLASH) {
        const length = this.#escape(at);
        if (length === 0) return 0;
        at += length;
      } else if (byte === LF || byte === CR) {
        if (!isLong) return 0;
        if (byte === LF || bytes[at + 1] !== LF) this.lines++;
        this.#two(byte === LF ? 0x6e : 0x72);
        at++;
      } else if (byte === QUOTE) {
        this.#two(QUOTE);
        at++;
      } else if (byte === 0x09) {
        this.#two(0x74);
        at++;
      } else if (byte >= 0x80) {
        const length = utf8Length(bytes, at);
        if (length === 0 || isNoCharacter(codePointAt(bytes, at, length))) return 0;
        for (let i = 0; i < length; i++) this.#scratch[this.#used++] = bytes[at++]!;
      } else if ((BYTE_CLASS[byte]! & STRING_BYTE) === 0) return 0;
      else {
        this.#scratch[this.#used++] = byte;
        at++;
      }
    }
    this.isCut = isLong;
    return 0;
  }

  /** Takes over an escape; returns its length, or 0 where it is not plain. */
  #escape(at: number): number {
    const { bytes } = this;
    const letter = bytes[at + 1]!;
    if (KEPT_ESCAPES.has(letter)) {
      this.#two(letter);
      return 2;
    }
    if (letter === APOSTROPHE) {
      this.#scratch[this.#used++] = APOSTROPHE;
      return 2;
    }
    if (letter !== 0x75) return 0;
    const digits = String.fromCharCode(bytes[at + 2]!, bytes[at + 3]!, bytes[at + 4]!, bytes[at + 5]!);
    const code = /^[0-9A-Fa-f]{4}$/.test(digits) ? Number.parseInt(digits, 16) : 0;
    if (code < 0x80 || (code >= 0xd800 && code <= 0xdfff) || isNoCharacter(code)) return 0;
    this.#used = writeCodePoint(this.#scratch, this.#used, code);
    return 6;
  }

  #two(letter: number): void {
    this.#scratch[this.#used++] = BACKSLASH;
    this.#scratch[this.#used++] = letter;
  }

  /** Language or datatype behind the string. */
  #suffix(end: number): TermHandle {
    const { bytes } = this;
    if (bytes[end] === 0x40) return this.#language(end);
    if (bytes[end] === CARET && bytes[end + 1] === CARET) return this.#typed(end + 2);
    if (!this.#endsAt(end)) return 0;
    this.at = end;
    this.#scratch[this.#used++] = QUOTE;
    return this.#emit();
  }

  #language(sign: number): TermHandle {
    const { bytes } = this;
    let at = sign + 1;
    for (let part = at; ; part = ++at) {
      const allowed = part === sign + 1 ? LETTER : LETTER | DIGIT;
      while ((BYTE_CLASS[bytes[at]!]! & allowed) !== 0) at++;
      if (at === part || at - part > MAX_SUBTAG) return 0;
      if (bytes[at] !== 0x2d) break;
    }
    // n3 takes "@version" for a keyword.
    if (!this.#endsAt(at) || at - sign > MAX_LANGUAGE_BYTES || (at - sign === 8 && (bytes[sign + 1]! | 0x20) === 0x76))
      return 0;
    this.#reserve(at - sign + 1);
    this.#scratch[this.#used++] = QUOTE;
    for (let i = sign; i < at; i++) {
      const byte = bytes[i]!;
      this.#scratch[this.#used++] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    }
    this.at = at;
    return this.#emit();
  }

  #typed(start: number): TermHandle {
    const { bytes } = this;
    let end = start;
    while (!this.#isSpace(bytes[end]!) && bytes[end] !== 0x2c && bytes[end] !== 0x3b) end++;
    if (bytes[end - 1] === DOT) end--;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const canKnow = end - start >= MIN_KNOWN_BYTES;
    const known = canKnow ? this.#names.find(view, start, end) : undefined;
    const suffix = known === undefined ? this.#newSuffix(start, end) : this.#suffixes[known.handle]!;
    if (suffix === undefined || !this.#endsAt(end)) return 0;
    if (known === undefined && canKnow) this.#names.add(view, start, end, this.#suffixes.push(suffix) - 1);
    this.#reserve(suffix.length);
    this.#copy(suffix, 0, suffix.length);
    this.at = end;
    return this.#emit();
  }

  #newSuffix(start: number, end: number): Uint8Array | undefined {
    const datatype = this.#datatypeAt(start);
    if (datatype === undefined || datatype.end !== end) return undefined;
    const iri = new TextDecoder().decode(datatype.iri);
    if (iri === `<${XSD}string>`) return Uint8Array.of(QUOTE);
    return iri === `<${RDF_NS}langString>` || iri === `<${RDF_NS}dirLangString>` ? undefined : ascii(`"^^${iri}`);
  }

  #begin(length: number): void {
    this.#used = 0;
    this.#reserve(length);
  }

  #reserve(length: number): void {
    while (this.#used + length > this.#scratch.length) this.#enlarge();
  }

  #enlarge(): void {
    const larger = new Uint8Array(this.#scratch.length * 2);
    larger.set(this.#scratch.subarray(0, this.#used));
    this.#scratch = larger;
  }

  #grow(): boolean {
    if (this.#used > this.#maxTermBytes) return false;
    this.#enlarge();
    return true;
  }

  #copy(bytes: Uint8Array, start: number, end: number): void {
    let to = this.#used;
    for (let i = start; i < end; i++) this.#scratch[to++] = bytes[i]!;
    this.#used = to;
  }

  #emit(): TermHandle {
    return this.#used > this.#maxTermBytes ? 0 : this.#sink.term(this.#scratch, 0, this.#used);
  }
}

/** Canonical text has these two escaped. */
const isNoCharacter = (code: number): boolean => code === 0xfffe || code === 0xffff;
