/**
 * The grammar of RDF Patch. A row is an operation, its terms and a dot. It is read as a whole: the position stays before a row that a
 * chunk cuts.
 */
import { DEFAULT_GRAPH_HANDLE } from '@quadrille/model';
import type { TermHandle } from '@quadrille/model';
import type { ParserLimits } from '../parser.js';
import { TermFault } from '../terms/term-fault.js';
import { DOT } from '../text/bytes.js';
import type { DocumentGrammar } from '../turtle/token-document.js';
import { END, TOKEN_CUT } from '../turtle/turtle-text.js';
import type { TurtleText } from '../turtle/turtle-text.js';
import type { PatchMark, PatchSink } from './patch-sink.js';
import { PatchTerms } from './patch-terms.js';
import { PatchWords } from './patch-words.js';

const OPERATION = 'an operation: H, TX, TC, TA, PA, PD, A or D';
const SUBJECT = 'a subject: an IRI or a blank node';
const GRAPH_OR_DOT = 'a graph name or "."';

export class PatchGrammar implements DocumentGrammar {
  tokenStart = 0;
  tokenLine = 1;
  cutStart = 0;
  readonly #text: TurtleText;
  readonly #sink: PatchSink;
  readonly #maxRowBytes: number;
  readonly #terms: PatchTerms;
  readonly #words: PatchWords;
  /** The line of the `TX` that is open, or 0. */
  #opened = 0;

  constructor(text: TurtleText, sink: PatchSink, limits: Required<ParserLimits>) {
    this.#text = text;
    this.#sink = sink;
    this.#maxRowBytes = limits.maxLineBytes;
    this.#terms = new PatchTerms(text, sink, limits);
    this.#words = new PatchWords(text, this.#terms.iris, limits.maxTermBytes);
  }

  /** @throws TermFault */
  read(): boolean {
    const text = this.#text;
    try {
      if (text.space() === END) return false;
      this.tokenStart = text.at;
      this.tokenLine = text.line;
      this.#row();
      if (text.at - this.tokenStart > this.#maxRowBytes) throw this.#longRow();
      return true;
    } catch (error) {
      if (!this.#isCut(error)) throw error;
      this.cutStart = error instanceof TermFault ? error.at : this.tokenStart;
      text.goBack(this.tokenStart, this.tokenLine);
      if (text.end - text.at > this.#maxRowBytes) throw this.#longRow();
      return false;
    }
  }

  end(): void {
    if (this.#opened === 0) return;
    throw new TermFault(this.#text.end, `the transaction that begins in line ${this.#opened} has no TC or TA`);
  }

  /** Whether more bytes might remove a fault. */
  #isCut(error: unknown): boolean {
    const { isLast, end } = this.#text;
    return error === TOKEN_CUT || (!isLast && error instanceof TermFault && error.seen >= end);
  }

  #longRow(): TermFault {
    return new TermFault(this.tokenStart, `a row is longer than ${this.#maxRowBytes} bytes`);
  }

  // token switch
  #row(): void {
    const { at } = this.#text;
    const operation = this.#words.word(OPERATION);
    switch (operation) {
      case 'A':
        return this.#change(true);
      case 'D':
        return this.#change(false);
      case 'H':
        return this.#header();
      case 'TX':
      // Another name that Jena reads.
      case 'TB':
        return this.#mark('begin', at);
      case 'TC':
        return this.#mark('commit', at);
      case 'TA':
        return this.#mark('abort', at);
      case 'PA':
        return this.#prefix(true);
      case 'PD':
        return this.#prefix(false);
      default:
        throw new TermFault(at, `expected ${OPERATION}, found ${JSON.stringify(operation.slice(0, 40))}`);
    }
  }

  #change(added: boolean): void {
    const terms = this.#terms;
    const line = this.tokenLine;
    const subject = terms.resource(terms.next(SUBJECT), SUBJECT);
    const predicate = terms.predicate(terms.next('a predicate'));
    const object = terms.object(terms.next('an object'));
    const graph = this.#graphAndDot();
    this.#sink.change(added, subject, predicate, object, graph, line);
  }

  #header(): void {
    const terms = this.#terms;
    const expected = 'the name of the header: a word, or text in quotes';
    this.#sink.beginHeader?.();
    const name = this.#words.name(terms.next(expected), expected);
    const value = terms.object(terms.next('the value of the header'));
    this.#dot();
    this.#sink.header(name, value, this.tokenLine);
  }

  #mark(mark: PatchMark, at: number): void {
    this.#dot();
    if (mark === 'begin' && this.#opened > 0) {
      throw new TermFault(at, `the transaction that begins in line ${this.#opened} has no TC or TA before this TX`);
    }
    if (mark !== 'begin' && this.#opened === 0)
      throw new TermFault(at, 'there is no TX before the end of a transaction');
    this.#opened = mark === 'begin' ? this.tokenLine : 0;
    this.#sink.mark(mark, this.tokenLine);
  }

  #prefix(added: boolean): void {
    const terms = this.#terms;
    const expected = 'a prefix without its colon: a word, or text in quotes';
    const name = this.#words.prefix(terms.next(expected), expected);
    const iri = added ? this.#words.namespace(terms.next('the IRI of the prefix')) : undefined;
    const graph = this.#graphAndDot();
    this.#sink.prefix(name, iri, graph, this.tokenLine);
  }

  /** Reads the end of a row that may name a graph. */
  #graphAndDot(): TermHandle {
    const byte = this.#terms.next(GRAPH_OR_DOT);
    if (byte === DOT) {
      this.#text.at++;
      return DEFAULT_GRAPH_HANDLE;
    }
    const graph = this.#terms.resource(byte, GRAPH_OR_DOT);
    this.#dot();
    return graph;
  }

  #dot(): void {
    const text = this.#text;
    if (this.#terms.next('"."') !== DOT) throw text.unexpected(text.at, '"."');
    text.at++;
  }
}
