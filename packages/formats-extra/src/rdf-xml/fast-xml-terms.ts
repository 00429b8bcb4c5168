/** Reads terms of RDF/XML from bytes into canonical form; see fast-rdf-xml.ts. */
import { BYTE_CLASS, ByteBuffer, KnownIris, LABEL_BYTE, LETTER, STRING_BYTE } from '@quadrille/formats';
import { isLanguageTag, RDF_NS, XSD } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import type { XmlCursor } from './fast-xml-cursor.js';
import { FastXmlIris, MAX_IRI } from './fast-xml-iris.js';
import type { FastXmlReferences } from './fast-xml-references.js';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const BANG = 0x21;
const QUOTE = 0x22;
const AMPERSAND = 0x26;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
/** Longest language tag, in bytes. */
const MAX_LANGUAGE = 255;
/** Number of datatypes and languages that are remembered. */
const MAX_SUFFIXES = 10_000;

const utf8 = new TextEncoder();
const text = new TextDecoder('utf-8', { ignoreBOM: true });
const CDATA = utf8.encode('<![CDATA[');
const ANONYMOUS = utf8.encode('anon');
/** The canonical text behind the string of a literal without language and datatype. */
export const NO_SUFFIX: Uint8Array = Uint8Array.of(QUOTE);

/** For each byte 1 if it is canonical in a literal and has no meaning in XML. */
const PLAIN = new Uint8Array(256);
for (let byte = 0; byte < 0x80; byte++) {
  if ((BYTE_CLASS[byte]! & STRING_BYTE) !== 0 && !'&<>'.includes(String.fromCharCode(byte))) PLAIN[byte] = 1;
}

/**
 * Each method returns the handle of a term, or 0 for a term that has a fault or that only the other parser supports. In attributes
 * `start` is the offset of the opening quote. The caller has checked that there is a closing quote.
 */
export class FastXmlTerms {
  /** Number of blank nodes with a generated label. */
  anonymous = 0;
  readonly #sink: QuadSink;
  readonly #cursor: XmlCursor;
  readonly #references: FastXmlReferences;
  readonly #maxTermBytes: number;
  /** Known datatypes and languages by their bytes in the document. The handles are indexes of `#suffixes`. */
  readonly #datatypes = new KnownIris();
  readonly #languages = new KnownIris();
  readonly #suffixes: Uint8Array[] = [];
  readonly #buffer = new ByteBuffer();
  readonly #iris: FastXmlIris;

  constructor(sink: QuadSink, cursor: XmlCursor, references: FastXmlReferences, maxTermBytes: number) {
    this.#sink = sink;
    this.#cursor = cursor;
    this.#references = references;
    this.#maxTermBytes = maxTermBytes;
    this.#iris = new FastXmlIris(cursor, references, this.#buffer);
  }

  /** The IRI in an attribute. */
  iri(start: number, base: string | undefined): TermHandle {
    const end = this.#iris.plainEnd(start);
    if (end !== 0 && end - start < this.#maxTermBytes) return this.#between(start, end, LESS, GREATER);
    const buffer = this.#buffer;
    buffer.length = 0;
    buffer.byte(LESS);
    if (!this.#iris.append(start) || !this.#iris.resolve(1, base)) return 0;
    buffer.byte(GREATER);
    return this.#bufferedTerm();
  }

  /** Resolves the value of xml:base. Undefined if it is not an IRI. */
  base(start: number, outer: string | undefined): string | undefined {
    const buffer = this.#buffer;
    buffer.length = 0;
    return this.#iris.append(start) && this.#iris.resolve(0, outer) ? text.decode(buffer.slice()) : undefined;
  }

  /** The blank node that an attribute names. */
  blankNode(start: number): TermHandle {
    const { bytes } = this.#cursor;
    let at = start + 1;
    if ((BYTE_CLASS[bytes[at]!]! & LETTER) === 0) return 0;
    while ((BYTE_CLASS[bytes[at]!]! & LABEL_BYTE) !== 0) at++;
    // Labels that resemble generated ones are left to the other parser.
    const isLikeOurs = bytes[start + 1] === ANONYMOUS[0] && bytes[start + 2] === ANONYMOUS[1];
    if (bytes[at] !== bytes[start] || isLikeOurs || at - start - 1 > this.#maxTermBytes) return 0;
    return this.#sink.blankNode(bytes, start + 1, at);
  }

  /** A new blank node. */
  newBlankNode(): TermHandle {
    const buffer = this.#buffer;
    buffer.length = 0;
    buffer.span(ANONYMOUS, 0, ANONYMOUS.length);
    const digits = String(++this.anonymous);
    for (let i = 0; i < digits.length; i++) buffer.byte(digits.charCodeAt(i));
    return this.#sink.blankNode(buffer.bytes, 0, buffer.length);
  }

  /** The empty literal. */
  empty(suffix: Uint8Array): TermHandle {
    this.#buffer.length = 0;
    this.#buffer.byte(QUOTE);
    return this.#literal(suffix);
  }

  /** Reads the literal whose text begins at the cursor. Moves to its end tag. */
  text(suffix: Uint8Array): TermHandle {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    const start = cursor.at;
    const end = this.#plainEnd(start);
    const isWhole = bytes[end] === LESS && bytes[end + 1] === SLASH;
    if (isWhole && suffix.length === 1 && end - start + 2 <= this.#maxTermBytes) {
      cursor.at = end;
      return this.#between(start - 1, end, QUOTE, QUOTE);
    }
    const buffer = this.#buffer;
    buffer.length = 0;
    buffer.byte(QUOTE);
    for (cursor.at = start; this.#appendText();) {
      const next = bytes[cursor.at + 1];
      if (next === SLASH) return this.#literal(suffix);
      if (next === BANG) {
        if (bytes[cursor.at + 2] === OPEN_BRACKET ? !this.#appendCdata() : !cursor.comment()) return 0;
      } else if (next !== QUESTION || !cursor.instruction()) return 0;
    }
    return 0;
  }

  /** The literal in an attribute. FastXmlTag has counted its lines. */
  attribute(start: number, suffix: Uint8Array): TermHandle {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    const buffer = this.#buffer;
    buffer.length = 0;
    buffer.byte(QUOTE);
    for (let at = start + 1; bytes[at] !== bytes[start];) {
      const byte = bytes[at]!;
      const isSpace = byte === TAB || byte === LF || byte === CR;
      let length = 1;
      if (byte === AMPERSAND) length = this.#references.append(at, buffer, false);
      // XML replaces line ends and tabs in attributes by spaces.
      else if (isSpace) buffer.byte(SPACE);
      else length = this.#appendCharacter(at);
      if (length === 0) return 0;
      at += byte === CR && bytes[at + 1] === LF ? 2 : length;
    }
    return this.#literal(suffix);
  }

  /** The canonical text behind the string of a literal in a language. Undefined if the language tag is not legal. */
  language(start: number): Uint8Array | undefined {
    const { bytes, view } = this.#cursor;
    let end = start + 1;
    while ((BYTE_CLASS[bytes[end]!]! & LABEL_BYTE) !== 0) end++;
    if (bytes[end] !== bytes[start] || end - start > MAX_LANGUAGE) return undefined;
    if (end === start + 1) return NO_SUFFIX;
    // With its quotes even a tag of two letters can be looked up.
    const canKnow = end - start > 2;
    const known = canKnow ? this.#languages.find(view, start, end + 1) : undefined;
    if (known !== undefined) return this.#suffixes[known.handle];
    const tag = this.#cursor.ascii(start + 1, end);
    if (!isLanguageTag(tag)) return undefined;
    const suffix = utf8.encode(`"@${tag.toLowerCase()}`);
    if (canKnow && this.#suffixes.length < MAX_SUFFIXES) {
      this.#languages.add(view, start, end + 1, this.#suffixes.push(suffix) - 1);
    }
    return suffix;
  }

  /** The canonical text behind the string of a literal of a datatype. Undefined if the datatype is not legal. */
  datatype(start: number, base: string | undefined): Uint8Array | undefined {
    const { bytes, view } = this.#cursor;
    let end = start + 1;
    while (bytes[end] !== bytes[start]) end++;
    const canKnow = end - start > 3 && end - start < MAX_IRI;
    const known = canKnow ? this.#datatypes.find(view, start, end) : undefined;
    if (known !== undefined) return this.#suffixes[known.handle];
    const buffer = this.#buffer;
    buffer.length = 0;
    if (!this.#iris.append(start)) return undefined;
    const isAbsolute = this.#iris.isAbsolute(0);
    if (!this.#iris.resolve(0, base)) return undefined;
    const iri = text.decode(buffer.slice());
    if (iri === `${RDF_NS}langString` || iri === `${RDF_NS}dirLangString`) return undefined;
    const suffix = iri === `${XSD}string` ? NO_SUFFIX : utf8.encode(`"^^<${iri}>`);
    // A relative datatype depends on the current base.
    if (isAbsolute && canKnow && this.#suffixes.length < MAX_SUFFIXES) {
      this.#datatypes.add(view, start, end, this.#suffixes.push(suffix) - 1);
    }
    return suffix;
  }

  /** The end of the bytes that are canonical in a literal and have no meaning in XML. */
  #plainEnd(start: number): number {
    const { bytes } = this.#cursor;
    let at = start;
    for (;;) {
      const byte = bytes[at]!;
      if (PLAIN[byte] !== 0) at++;
      else if (byte < 0x80) return at;
      else {
        const length = this.#cursor.characterLength(at);
        if (length === 0) return at;
        at += length;
      }
    }
  }

  /** Appends text from the cursor up to the next "<". */
  #appendText(): boolean {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    const buffer = this.#buffer;
    for (;;) {
      const start = cursor.at;
      const end = this.#plainEnd(start);
      if (end > start) buffer.span(bytes, start, end);
      cursor.at = end;
      if (buffer.length > this.#maxTermBytes) return false;
      const byte = bytes[end]!;
      if (byte === LESS) return true;
      // "]]>" is illegal. One bracket is enough to leave the text to the other parser.
      if (byte === GREATER && bytes[end - 1] === CLOSE_BRACKET) return false;
      const length = byte === AMPERSAND ? this.#references.append(end, buffer, false) : this.#appendCharacter(end);
      if (length === 0) return false;
      if (byte === LF || byte === CR) cursor.lines++;
      cursor.at = end + length;
    }
  }

  #appendCdata(): boolean {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    for (const byte of CDATA) if (bytes[cursor.at++] !== byte) return false;
    for (;;) {
      const { at } = cursor;
      if (bytes[at] === CLOSE_BRACKET && bytes[at + 1] === CLOSE_BRACKET && bytes[at + 2] === GREATER) break;
      const length = this.#appendCharacter(at);
      if (length === 0 || this.#buffer.length > this.#maxTermBytes) return false;
      if (bytes[at] === LF || bytes[at] === CR) cursor.lines++;
      cursor.at += length;
    }
    cursor.at += 3;
    return true;
  }

  /** Appends the character at an offset. Returns its length in the document, or 0 if it is not legal. */
  #appendCharacter(at: number): number {
    const { bytes } = this.#cursor;
    const buffer = this.#buffer;
    const byte = bytes[at]!;
    if (byte === CR) {
      // XML converts line ends to LF.
      buffer.byte(BACKSLASH);
      buffer.byte(0x6e);
      return bytes[at + 1] === LF ? 2 : 1;
    }
    if (byte === LF || byte === TAB || byte === QUOTE || byte === BACKSLASH) {
      buffer.byte(BACKSLASH);
      buffer.byte(byte === LF ? 0x6e : byte === TAB ? 0x74 : byte);
      return 1;
    }
    const length = byte === 0x7f ? 0 : this.#cursor.characterLength(at);
    buffer.span(bytes, at, at + length);
    return length;
  }

  #literal(suffix: Uint8Array): TermHandle {
    this.#buffer.span(suffix, 0, suffix.length);
    return this.#bufferedTerm();
  }

  #bufferedTerm(): TermHandle {
    const { bytes, length } = this.#buffer;
    return length > this.#maxTermBytes ? 0 : this.#sink.term(bytes, 0, length);
  }

  /** A term that differs from the document in its delimiters only. They are overwritten during the call. */
  #between(start: number, end: number, first: number, last: number): TermHandle {
    const { bytes } = this.#cursor;
    const [before, behind] = [bytes[start]!, bytes[end]!];
    bytes[start] = first;
    bytes[end] = last;
    try {
      return this.#sink.term(bytes, start, end + 1);
    } finally {
      bytes[start] = before;
      bytes[end] = behind;
    }
  }
}
