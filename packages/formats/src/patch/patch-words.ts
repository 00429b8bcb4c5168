/** Reads the words and strings of a patch that are no terms: operations, names of headers and prefixes. */
import {
  bytesToTerm,
  isAbsoluteIri,
  isLongIri,
  isPrefixName,
  LONG_IRI,
  MAX_IRI_BYTES,
  XSD_STRING,
} from '@quadrille/model';
import type { TermHandle } from '@quadrille/model';
import { TermFault } from '../terms/term-fault.js';
import { APOSTROPHE, DOT, LESS, QUOTE } from '../text/bytes.js';
import { BYTE_CLASS, LETTER } from '../text/byte-classes.js';
import type { TurtleIris } from '../turtle/turtle-iris.js';
import { TurtleLiterals } from '../turtle/turtle-literals.js';
import type { TurtleText } from '../turtle/turtle-text.js';

export class PatchWords {
  readonly #text: TurtleText;
  readonly #iris: TurtleIris;
  /** Reads strings into `#string` instead of a sink. */
  readonly #strings: TurtleLiterals;
  readonly #decoder = new TextDecoder();
  #string: string | undefined;

  constructor(text: TurtleText, iris: TurtleIris, maxTermBytes: number) {
    this.#text = text;
    this.#iris = iris;
    this.#strings = new TurtleLiterals(text, iris, { term: (...span) => this.#take(...span) }, maxTermBytes);
  }

  /** Reads a word: it begins with a letter and has letters, digits, `_`, `-` and, within it, `.`; or throws the fault. */
  word(expected: string): string {
    const text = this.#text;
    const { bytes, at: start } = text;
    let at = start;
    let end = start;
    for (;;) {
      const isInner = bytes[at] === DOT && at > start;
      const length = isInner ? 1 : text.nameCharacter(at, at === start);
      if (length === 0) break;
      at += length;
      if (!isInner) end = at;
      if (at - start > MAX_IRI_BYTES) throw new TermFault(start, `a word is longer than ${MAX_IRI_BYTES} bytes`, at);
    }
    text.need(at);
    const isWord = end > start && (bytes[start]! >= 0x80 || (BYTE_CLASS[bytes[start]!]! & LETTER) !== 0);
    if (!isWord) throw text.unexpected(start, expected);
    text.at = end;
    return this.#decoder.decode(bytes.subarray(start, end));
  }

  /** Reads a name: a word or a string. */
  name(byte: number, expected: string): string {
    return isQuote(byte) ? this.#quoted(byte, expected) : this.word(expected);
  }

  /** Reads the name of a prefix, without its colon. */
  prefix(byte: number, expected: string): string {
    const { at } = this.#text;
    const name = this.name(byte, expected);
    if (!isPrefixName(name)) throw new TermFault(at, `${JSON.stringify(name.slice(0, 100))} cannot be a prefix`);
    return name;
  }

  /** Reads the IRI of a prefix, which may also stand in a string. */
  namespace(byte: number): string {
    const expected = 'the IRI of the prefix, within "<" and ">" or in quotes';
    if (isQuote(byte)) return this.#quotedIri(byte, expected);
    const { text, iris } = { text: this.#text, iris: this.#iris };
    if (byte !== LESS) throw text.unexpected(text.at, expected);
    iris.reference();
    return this.#decoder.decode(iris.bytes.subarray(iris.start + 1, iris.end - 1));
  }

  #quotedIri(byte: number, expected: string): string {
    const { at } = this.#text;
    const iri = this.#quoted(byte, expected);
    if (isLongIri(iri)) throw new TermFault(at, LONG_IRI);
    if (!isAbsoluteIri(iri)) throw new TermFault(at, `not an absolute IRI: ${JSON.stringify(iri.slice(0, 100))}`);
    return iri;
  }

  #quoted(byte: number, expected: string): string {
    const start = this.#text.at;
    this.#strings.read(byte);
    if (this.#string === undefined) throw new TermFault(start, `expected ${expected}, found a literal with a type`);
    if (this.#string.length > MAX_IRI_BYTES) throw new TermFault(start, `the text is longer than ${MAX_IRI_BYTES}`);
    return this.#string;
  }

  #take(bytes: Uint8Array, start: number, end: number): TermHandle {
    const term = bytesToTerm(bytes.subarray(start, end));
    const isString = term.termType === 'Literal' && term.language === '' && term.datatype.value === XSD_STRING;
    this.#string = isString ? term.value : undefined;
    return 1;
  }
}

const isQuote = (byte: number): boolean => byte === QUOTE || byte === APOSTROPHE;
