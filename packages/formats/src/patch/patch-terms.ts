/** Reads the terms of a patch: those of N-Triples, and the shorter forms that Jena writes. */
import { isBlankNodeLabel } from '@quadrille/model';
import type { TermHandle } from '@quadrille/model';
import { TermFault } from '../terms/term-fault.js';
import { BYTE_CLASS, LABEL_BYTE } from '../text/byte-classes.js';
import { CLOSE_PAREN, COLON, GREATER, HYPHEN, LESS, OPEN_PAREN, UNDERSCORE } from '../text/bytes.js';
import { TurtleBlankNodes } from '../turtle/turtle-blank-nodes.js';
import { TurtleIris } from '../turtle/turtle-iris.js';
import { TurtleLiterals } from '../turtle/turtle-literals.js';
import { END } from '../turtle/turtle-text.js';
import type { TurtleText } from '../turtle/turtle-text.js';
import { storedLabel } from './patch-labels.js';
import type { PatchSink } from './patch-sink.js';

/** The offset of a label behind `<_:`. */
const LABEL_START = 3;

export class PatchTerms {
  readonly iris: TurtleIris;
  readonly #text: TurtleText;
  readonly #sink: PatchSink;
  readonly #literals: TurtleLiterals;
  readonly #blankNodes: TurtleBlankNodes;
  readonly #maxDepth: number;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(text: TurtleText, sink: PatchSink, limits: { readonly maxTermBytes: number; readonly maxDepth: number }) {
    this.#text = text;
    this.#sink = sink;
    this.iris = new TurtleIris(text, undefined, 'and a patch has absolute IRIs only');
    this.#literals = new TurtleLiterals(text, this.iris, sink, limits.maxTermBytes);
    this.#blankNodes = new TurtleBlankNodes(text, sink, limits.maxTermBytes, true);
    this.#maxDepth = limits.maxDepth;
  }

  /** Skips space, line ends and comments. Returns the byte behind them. The document may not end there. */
  next(expected: string): number {
    const text = this.#text;
    const byte = text.space();
    if (byte !== END) return byte;
    text.need(text.end);
    throw text.unexpected(text.at, expected);
  }

  /** Reads a subject or a graph name; its first byte is given. */
  resource(byte: number, expected: string): TermHandle {
    const text = this.#text;
    if (byte === UNDERSCORE) return this.#blankNodes.labelled();
    if (byte !== LESS) throw text.unexpected(text.at, expected);
    const second = text.bytes[text.at + 1];
    if (second === LESS) throw new TermFault(text.at, `expected ${expected}, found a triple`);
    return second === UNDERSCORE ? this.#bracketedLabel() : this.#iri();
  }

  predicate(byte: number): TermHandle {
    const text = this.#text;
    const second = text.bytes[text.at + 1];
    if (byte !== LESS || second === LESS || second === UNDERSCORE) {
      throw text.unexpected(text.at, 'a predicate: an IRI within "<" and ">"');
    }
    return this.#iri();
  }

  /** Reads an object or the value of a header. `depth` is the number of triple terms around it. */
  object(byte: number, depth = 0): TermHandle {
    const text = this.#text;
    const expected = 'a term: an IRI, a blank node, a literal or a triple term';
    if (byte === LESS && text.bytes[text.at + 1] === LESS) return this.#tripleTerm(depth);
    if (byte === LESS || byte === UNDERSCORE) return this.resource(byte, expected);
    const literal = this.#literals.read(byte);
    if (literal === 0) throw text.unexpected(text.at, expected);
    return literal;
  }

  #iri(): TermHandle {
    const { iris } = this;
    iris.reference();
    return this.#sink.term(iris.bytes, iris.start, iris.end);
  }

  /** Reads `<_:label>`. */
  #bracketedLabel(): TermHandle {
    const { iris } = this;
    const start = this.#text.at;
    iris.unresolved();
    const { bytes } = iris;
    const end = iris.end - 1;
    if (bytes[LABEL_START - 1] !== COLON || end <= LABEL_START) {
      throw new TermFault(start, 'a blank node is "<_:", a label and ">"');
    }
    if (isPlainLabel(bytes, LABEL_START, end)) return this.#sink.blankNode(bytes, LABEL_START, end);
    const label = this.#decoder.decode(bytes.subarray(LABEL_START, end));
    if (isBlankNodeLabel(label)) return this.#sink.blankNode(bytes, LABEL_START, end);
    const stored = this.#encoder.encode(storedLabel(label));
    return this.#sink.blankNode(stored, 0, stored.length);
  }

  /** Reads `<<( … )>>`, or `<< … >>` as older versions of Jena write it. */
  #tripleTerm(depth: number): TermHandle {
    const text = this.#text;
    const { bytes, at } = text;
    if (depth >= this.#maxDepth) throw new TermFault(at, `triple terms nested deeper than ${this.#maxDepth}`);
    text.need(at + 2);
    const hasParens = bytes[at + 2] === OPEN_PAREN;
    text.at = at + (hasParens ? 3 : 2);
    const subject = this.resource(this.next('a subject'), 'the subject of a triple term: an IRI or a blank node');
    const predicate = this.predicate(this.next('a predicate'));
    const object = this.object(this.next('an object'), depth + 1);
    this.#closeTripleTerm(hasParens);
    return this.#sink.tripleTerm(subject, predicate, object);
  }

  #closeTripleTerm(hasParens: boolean): void {
    const text = this.#text;
    const expected = hasParens ? '")>>"' : '">>"';
    const byte = this.next(expected);
    const { bytes, at } = text;
    const first = hasParens ? at + 1 : at;
    text.need(first + 1);
    if ((hasParens && byte !== CLOSE_PAREN) || bytes[first] !== GREATER || bytes[first + 1] !== GREATER) {
      throw text.unexpected(at, expected);
    }
    text.at = first + 2;
  }
}

/** Whether a label has only letters, digits, `_` and `-`, which N-Quads allows. */
function isPlainLabel(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((BYTE_CLASS[bytes[at]!]! & LABEL_BYTE) === 0) return false;
  return bytes[start] !== HYPHEN;
}
