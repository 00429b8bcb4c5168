/**
 * The grammar of Turtle and TriG (RDF 1.2). Reads one token after another and passes each statement to the sink as soon as it is
 * complete. The reader can stop before any token and continue with the next chunk, so a document may be cut anywhere.
 */
import { DEFAULT_GRAPH_HANDLE } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import type { ParserLimits } from '../parser.js';
import { KnownIris } from '../terms/known-iris.js';
import { BAD_TERM } from '../terms/skipping-sink.js';
import { TermFault } from '../terms/term-fault.js';
import {
  AT,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COMMA,
  DOT,
  GREATER,
  LESS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  PIPE,
  SEMICOLON,
  TILDE,
  UNDERSCORE,
} from '../text/bytes.js';
import type { DocumentGrammar } from './token-document.js';
import { TurtleBlankNodes } from './turtle-blank-nodes.js';
import { TurtleDirectives } from './turtle-directives.js';
import { expectedIn } from './turtle-expected.js';
import * as expect from './turtle-frames.js';
import { ANNOTATION, LIST, PROPERTIES, REIFIED_TRIPLE, STATEMENT, TRIPLE_TERM, TurtleFrames } from './turtle-frames.js';
import { TurtleIris } from './turtle-iris.js';
import { TurtleLiterals } from './turtle-literals.js';
import { END, TOKEN_CUT } from './turtle-text.js';
import type { TurtleText } from './turtle-text.js';
import { RDF_FIRST, RDF_NIL, RDF_REIFIES, RDF_REST, RDF_TYPE, TurtleVocabulary } from './turtle-vocabulary.js';

// Kinds of terms besides IRIs and blank nodes, as flags.
const NODE_ONLY = 0;
const LITERALS = 1;
/** `[ … ]` and `( … )` */
const BRACKETS = 2;
const TRIPLE_TERMS = 4;
const REIFIED_TRIPLES = 8;

const SUBJECT_TERMS = BRACKETS | REIFIED_TRIPLES;
const OBJECT_TERMS = LITERALS | BRACKETS | TRIPLE_TERMS | REIFIED_TRIPLES;

export interface TurtleStatementsOptions {
  readonly sink: QuadSink;
  readonly trig: boolean;
  readonly baseIRI: string | undefined;
  readonly limits: Required<ParserLimits>;
  /** Called for each prefix; its name has no colon. */
  readonly onPrefix: (name: Uint8Array, namespace: Uint8Array) => void;
  /** Called for each IRI and language tag that is not well formed, with its end. Without it the first one ends the document. */
  readonly onFault?: ((fault: TermFault, end: number) => void) | undefined;
}

export class TurtleStatements implements DocumentGrammar {
  /** Start of the last token, and its line. */
  tokenStart = 0;
  tokenLine = 1;
  /** Start of the IRI or the name that is cut at the end of the bytes. */
  cutStart = 0;
  graph: TermHandle = DEFAULT_GRAPH_HANDLE;
  /** Whether `{` is open. */
  #inGraph = false;
  readonly #text: TurtleText;
  readonly #options: TurtleStatementsOptions;
  readonly #sink: QuadSink;
  readonly #onFault: TurtleStatementsOptions['onFault'];
  readonly #frames = new TurtleFrames();
  readonly #iris: TurtleIris;
  readonly #literals: TurtleLiterals;
  readonly #blankNodes: TurtleBlankNodes;
  readonly #directives: TurtleDirectives;
  readonly #vocabulary: TurtleVocabulary;
  #predicates = new KnownIris();

  constructor(text: TurtleText, options: TurtleStatementsOptions) {
    const { sink, limits, baseIRI } = options;
    this.#text = text;
    this.#options = options;
    this.#sink = sink;
    this.#onFault = options.onFault;
    this.#iris = new TurtleIris(text, baseIRI);
    this.#literals = new TurtleLiterals(text, this.#iris, sink, limits.maxTermBytes);
    this.#blankNodes = new TurtleBlankNodes(text, sink, limits.maxTermBytes);
    this.#vocabulary = new TurtleVocabulary(sink);
    this.#directives = new TurtleDirectives(text, this.#iris, this.#literals, limits.maxPrefixes, {
      namesChanged: () => this.#forgetNames(),
      prefixDeclared: options.onPrefix,
    });
  }

  /** The current prefixes; their names have no colon. */
  get prefixes(): Iterable<{ readonly name: Uint8Array; readonly namespace: Uint8Array }> {
    return this.#iris.prefixes.list();
  }

  /** Whether the next token begins a statement. */
  get isBetween(): boolean {
    return this.#frames.expects === expect.A_STATEMENT;
  }

  /**
   * Reads up to the end of a statement, a directive or a graph. Returns false if the bytes end earlier. The position is then
   * before the first incomplete token.
   * @throws TermFault
   */
  read(): boolean {
    const text = this.#text;
    const maxTokenBytes = this.#options.limits.maxLineBytes;
    try {
      for (;;) {
        const byte = text.space();
        if (byte === END) return false;
        this.tokenStart = text.at;
        this.tokenLine = text.line;
        this.#step(byte);
        if (text.at - this.tokenStart > maxTokenBytes) throw this.#longToken();
        if (this.#frames.expects === expect.A_STATEMENT) return true;
      }
    } catch (error) {
      if (!this.#isCut(error)) throw error;
      this.cutStart = error instanceof TermFault ? error.at : this.tokenStart;
      text.goBack(this.tokenStart, this.tokenLine);
      if (text.end - text.at > maxTokenBytes) throw this.#longToken();
      return false;
    }
  }

  /** Checks that the document may end at the position. */
  end(): void {
    if (this.#frames.expects !== expect.A_STATEMENT || this.#inGraph) throw this.#unexpected(this.#text.end);
  }

  /** Whether more bytes might remove a fault. */
  #isCut(error: unknown): boolean {
    const { isLast, end } = this.#text;
    return error === TOKEN_CUT || (!isLast && error instanceof TermFault && error.seen >= end);
  }

  #longToken(): TermFault {
    return new TermFault(this.tokenStart, `a token is longer than ${this.#options.limits.maxLineBytes} bytes`);
  }

  #unexpected(at = this.#text.at): TermFault {
    return this.#text.unexpected(at, expectedIn(this.#frames, this.#options.trig, this.#inGraph));
  }

  #forgetNames(): void {
    this.#predicates = new KnownIris();
    this.#literals.forgetNames();
  }

  // token switch
  #step(byte: number): void {
    const frames = this.#frames;
    const text = this.#text;
    switch (frames.expects) {
      case expect.A_STATEMENT:
        return this.#statement(byte);
      case expect.VERB_OR_GRAPH:
        if (byte === OPEN_BRACE) return this.#openGraph(frames.subject);
        return this.#verb(byte);
      case expect.VERB:
        return this.#verb(byte);
      case expect.VERB_OR_SEMICOLON_OR_END:
        if (byte === SEMICOLON) text.at++;
        else if (isEnd(byte)) this.#end(byte);
        else this.#verb(byte);
        return undefined;
      case expect.VERB_OR_END:
        return isEnd(byte) ? this.#end(byte) : this.#verb(byte);
      case expect.OBJECT:
        return this.#object(byte);
      case expect.BEHIND_OBJECT:
        return this.#behindObject(byte);
      case expect.ITEM:
        return this.#item(byte);
      case expect.INNER_SUBJECT:
        return this.#innerSubject(byte);
      case expect.END_OF_TRIPLE_TERM:
        return this.#endOfTripleTerm(byte);
      case expect.TILDE_OR_END_OF_REIFIED:
        if (byte !== TILDE) return this.#endOfReified(byte, 0);
        text.at++;
        frames.expects = expect.REIFIER_OR_END_OF_REIFIED;
        return undefined;
      case expect.REIFIER_OR_END_OF_REIFIED:
        if (byte === GREATER) return this.#endOfReified(byte, 0);
        frames.reifier = this.#term(byte, NODE_ONLY);
        frames.expects = expect.END_OF_REIFIED;
        return undefined;
      case expect.END_OF_REIFIED:
        return this.#endOfReified(byte, frames.reifier);
      case expect.REIFIER_OR_NOTHING:
        return this.#reifier(byte);
      case expect.GRAPH_NAME:
        frames.subject = this.#term(byte, NODE_ONLY);
        frames.expects = expect.GRAPH_OPEN;
        return undefined;
      case expect.GRAPH_OPEN:
        if (byte !== OPEN_BRACE) throw this.#unexpected();
        return this.#openGraph(frames.subject);
      default: {
        const next = this.#directives.read(frames.expects, byte);
        if (next === undefined) throw this.#unexpected();
        frames.expects = next;
      }
    }
  }

  #statement(byte: number): void {
    const frames = this.#frames;
    if (byte === CLOSE_BRACE && this.#inGraph) return this.#closeGraph();
    if (byte === OPEN_BRACE && this.#options.trig && !this.#inGraph) return this.#openGraph(DEFAULT_GRAPH_HANDLE);
    if (this.#keyword(byte)) return;
    const subject = this.#term(byte, SUBJECT_TERMS);
    // A bracket was opened. Its term is known at its end.
    if (subject === 0) return;
    frames.subject = subject;
    frames.expects = this.#options.trig && !this.#inGraph ? expect.VERB_OR_GRAPH : expect.VERB;
  }

  /** Reads a directive, or `GRAPH` in TriG. */
  #keyword(byte: number): boolean {
    const frames = this.#frames;
    const text = this.#text;
    const letter = byte | 0x20;
    if (byte === AT || letter === 0x70 || letter === 0x62 || letter === 0x76) {
      const { at } = text;
      const next = this.#directives.start(byte);
      if (next === expect.A_STATEMENT) return false;
      if (this.#inGraph) throw new TermFault(at, 'a directive cannot stand within a graph');
      frames.expects = next;
      return true;
    }
    if (letter !== 0x67 || !this.#options.trig || this.#inGraph || !text.isWord(text.at, 'graph', true)) return false;
    text.at += 5;
    frames.expects = expect.GRAPH_NAME;
    return true;
  }

  #openGraph(graph: TermHandle): void {
    this.#text.at++;
    this.graph = graph;
    this.#inGraph = true;
    this.#frames.expects = expect.A_STATEMENT;
  }

  #closeGraph(): void {
    this.#text.at++;
    this.graph = DEFAULT_GRAPH_HANDLE;
    this.#inGraph = false;
    this.#frames.expects = expect.A_STATEMENT;
  }

  #verb(byte: number): void {
    try {
      this.#frames.predicate = this.#predicate(byte);
    } catch (error) {
      this.#frames.predicate = this.#badTerm(error);
    }
    this.#frames.expects = expect.OBJECT;
  }

  #predicate(byte: number): TermHandle {
    const text = this.#text;
    const { bytes, at: start } = text;
    if (byte === 0x61 && start + 1 < text.end && text.isSpace(start + 1)) {
      text.at++;
      return this.#vocabulary.handle(RDF_TYPE);
    }
    const end = text.knowableEnd(start);
    const known = end === 0 ? undefined : this.#predicates.find(text.view, start, end);
    if (known !== undefined) {
      text.at = end;
      return known.handle;
    }
    if (byte === LESS && bytes[start + 1] === LESS) throw this.#unexpected();
    const iris = this.#iris;
    if (iris.read(byte)) {
      const handle = this.#sink.term(iris.bytes, iris.start, iris.end);
      if (text.at === end) this.#predicates.add(text.view, start, end, handle);
      return handle;
    }
    if (byte !== 0x61 || text.isInName(start + 1)) throw this.#unexpected();
    text.at++;
    return this.#vocabulary.handle(RDF_TYPE);
  }

  #object(byte: number): void {
    const { kind } = this.#frames;
    let allowed = OBJECT_TERMS;
    if (kind === TRIPLE_TERM) allowed = LITERALS | TRIPLE_TERMS;
    else if (kind === REIFIED_TRIPLE) allowed = LITERALS | TRIPLE_TERMS | REIFIED_TRIPLES;
    const object = this.#term(byte, allowed);
    if (object !== 0) this.#objectRead(object);
  }

  #objectRead(object: TermHandle): void {
    const frames = this.#frames;
    frames.object = object;
    if (frames.kind === TRIPLE_TERM) frames.expects = expect.END_OF_TRIPLE_TERM;
    else if (frames.kind === REIFIED_TRIPLE) frames.expects = expect.TILDE_OR_END_OF_REIFIED;
    else {
      this.#sink.quad(frames.subject, frames.predicate, object, this.graph);
      frames.reifier = 0;
      frames.expects = expect.BEHIND_OBJECT;
    }
  }

  #behindObject(byte: number): void {
    const frames = this.#frames;
    const text = this.#text;
    if (byte === COMMA) {
      text.at++;
      frames.expects = expect.OBJECT;
    } else if (byte === SEMICOLON) {
      text.at++;
      frames.expects = expect.VERB_OR_SEMICOLON_OR_END;
    } else if (byte === TILDE) {
      text.at++;
      frames.expects = expect.REIFIER_OR_NOTHING;
    } else if (byte === OPEN_BRACE && text.bytes[text.at + 1] === PIPE) this.#annotation();
    else this.#end(byte);
  }

  /** Reads the end of a statement, of `[` or of `{|`. */
  #end(byte: number): void {
    const frames = this.#frames;
    const text = this.#text;
    const { kind } = frames;
    if (kind === STATEMENT && byte === DOT) {
      text.at++;
      frames.expects = expect.A_STATEMENT;
    } else if (kind === STATEMENT && byte === CLOSE_BRACE && this.#inGraph) this.#closeGraph();
    else if (kind === PROPERTIES && byte === CLOSE_BRACKET) {
      text.at++;
      this.#close(frames.subject);
    } else if (kind === ANNOTATION && byte === PIPE && text.bytes[text.at + 1] === CLOSE_BRACE) {
      text.at += 2;
      frames.close();
      frames.expects = expect.BEHIND_OBJECT;
    } else {
      // The second byte of the token may be in the next chunk.
      if (byte === PIPE || byte === OPEN_BRACE) text.need(text.at + 1);
      throw this.#unexpected();
    }
  }

  /** Closes a bracket. It is a term of the enclosing frame. */
  #close(term: TermHandle): void {
    const frames = this.#frames;
    const { kind } = frames;
    frames.close();
    switch (frames.expects) {
      case expect.A_STATEMENT:
        frames.subject = term;
        frames.expects = kind === LIST ? expect.VERB : expect.VERB_OR_END;
        break;
      case expect.INNER_SUBJECT:
        frames.subject = term;
        frames.expects = expect.VERB;
        break;
      case expect.ITEM:
        this.#addItem(term);
        break;
      default:
        this.#objectRead(term);
    }
  }

  #item(byte: number): void {
    const frames = this.#frames;
    if (byte === CLOSE_PAREN) {
      this.#text.at++;
      const nil = this.#vocabulary.handle(RDF_NIL);
      if (frames.subject === 0) return this.#close(nil);
      this.#sink.quad(frames.object, this.#vocabulary.handle(RDF_REST), nil, this.graph);
      return this.#close(frames.subject);
    }
    const item = this.#term(byte, OBJECT_TERMS);
    if (item !== 0) this.#addItem(item);
  }

  #addItem(item: TermHandle): void {
    const frames = this.#frames;
    const cell = this.#blankNodes.fresh();
    if (frames.subject === 0) frames.subject = cell;
    else this.#sink.quad(frames.object, this.#vocabulary.handle(RDF_REST), cell, this.graph);
    this.#sink.quad(cell, this.#vocabulary.handle(RDF_FIRST), item, this.graph);
    frames.object = cell;
  }

  #innerSubject(byte: number): void {
    const frames = this.#frames;
    const subject = this.#term(byte, frames.kind === REIFIED_TRIPLE ? REIFIED_TRIPLES : NODE_ONLY);
    if (subject === 0) return;
    frames.subject = subject;
    frames.expects = expect.VERB;
  }

  #endOfTripleTerm(byte: number): void {
    const text = this.#text;
    const { bytes, at } = text;
    if (byte !== CLOSE_PAREN || bytes[at + 1] !== GREATER || bytes[at + 2] !== GREATER) {
      text.need(at + 2);
      throw this.#unexpected();
    }
    text.at += 3;
    this.#close(this.#tripleTerm());
  }

  /** @param named the reifier, if the document names it */
  #endOfReified(byte: number, named: TermHandle): void {
    const text = this.#text;
    if (byte !== GREATER || text.bytes[text.at + 1] !== GREATER) {
      text.need(text.at + 1);
      throw this.#unexpected();
    }
    text.at += 2;
    this.#close(this.#reify(named));
  }

  #tripleTerm(): TermHandle {
    const { subject, predicate, object } = this.#frames;
    return this.#sink.tripleTerm(subject, predicate, object);
  }

  /** States that a node reifies the triple of the frame. Returns the node, which is a new one if none is given. */
  #reify(named: TermHandle): TermHandle {
    const reifier = named === 0 ? this.#blankNodes.fresh() : named;
    this.#sink.quad(reifier, this.#vocabulary.handle(RDF_REIFIES), this.#tripleTerm(), this.graph);
    return reifier;
  }

  /** Reads the token behind `~`. */
  #reifier(byte: number): void {
    const frames = this.#frames;
    const isNamed = byte === LESS || byte === UNDERSCORE || byte === OPEN_BRACKET || !isBehindReifier(byte);
    frames.reifier = this.#reify(isNamed ? this.#term(byte, NODE_ONLY) : 0);
    frames.expects = expect.BEHIND_OBJECT;
  }

  /** `{|` */
  #annotation(): void {
    const frames = this.#frames;
    this.#checkDepth();
    this.#text.at += 2;
    const reifier = frames.reifier === 0 ? this.#reify(0) : frames.reifier;
    frames.reifier = 0;
    frames.open(ANNOTATION, expect.VERB, reifier);
  }

  /** Reads a term. Returns 0 if it opens a bracket, whose term is known at its end. */
  #term(byte: number, allowed: number): TermHandle {
    try {
      return this.#goodTerm(byte, allowed);
    } catch (error) {
      return this.#badTerm(error);
    }
  }

  /** Passes over an IRI or a language tag that is not well formed, if those are skipped. Otherwise throws the error. */
  #badTerm(error: unknown): TermHandle {
    const token = error instanceof TermFault && !this.#isCut(error) ? error.token : undefined;
    if (this.#onFault === undefined || token === undefined) throw error;
    const text = this.#text;
    const end = text.tokenEnd(token);
    if (end === undefined) throw error;
    text.at = end;
    this.#onFault(error as TermFault, end);
    return BAD_TERM;
  }

  #goodTerm(byte: number, allowed: number): TermHandle {
    const text = this.#text;
    if (byte === LESS && text.bytes[text.at + 1] === LESS) return this.#openTriple(allowed);
    if (byte === UNDERSCORE) return this.#blankNodes.labelled();
    if (byte === OPEN_BRACKET) return this.#openProperties(allowed);
    if (byte === OPEN_PAREN && (allowed & BRACKETS) !== 0) {
      this.#open(LIST, expect.ITEM, 1);
      return 0;
    }
    const literal = (allowed & LITERALS) === 0 ? 0 : this.#literals.read(byte);
    if (literal !== 0) return literal;
    if (byte === LESS) text.need(text.at + 1);
    const iris = this.#iris;
    if (!iris.read(byte)) throw this.#unexpected();
    return this.#sink.term(iris.bytes, iris.start, iris.end);
  }

  /** `<<(` or `<<` */
  #openTriple(allowed: number): TermHandle {
    const text = this.#text;
    text.need(text.at + 2);
    const isTerm = text.bytes[text.at + 2] === OPEN_PAREN;
    if ((allowed & (isTerm ? TRIPLE_TERMS : REIFIED_TRIPLES)) === 0) throw this.#unexpected();
    if (isTerm) this.#open(TRIPLE_TERM, expect.INNER_SUBJECT, 3);
    else this.#open(REIFIED_TRIPLE, expect.INNER_SUBJECT, 2);
    return 0;
  }

  /** Reads `[ ]`, which is a complete blank node, or the `[` before properties. */
  #openProperties(allowed: number): TermHandle {
    const text = this.#text;
    const { at } = text;
    text.at++;
    const next = text.space();
    if (next === END) text.need(text.end);
    if (next === CLOSE_BRACKET) {
      text.at++;
      return this.#blankNodes.fresh();
    }
    if ((allowed & BRACKETS) === 0) throw text.unexpected(text.at, '"]" (a blank node has no properties here)');
    this.#checkDepth(at);
    this.#frames.open(PROPERTIES, expect.VERB, this.#blankNodes.fresh());
    return 0;
  }

  #open(kind: number, expects: number, length: number): void {
    this.#checkDepth();
    this.#text.at += length;
    this.#frames.open(kind, expects, 0);
  }

  #checkDepth(at = this.#text.at): void {
    const { maxDepth } = this.#options.limits;
    if (this.#frames.depth >= maxDepth) throw new TermFault(at, `nested deeper than ${maxDepth}`);
  }
}

function isEnd(byte: number): boolean {
  return byte === DOT || byte === CLOSE_BRACKET || byte === PIPE || byte === CLOSE_BRACE;
}

/** Whether the next token may follow a `~` without a reifier. */
function isBehindReifier(byte: number): boolean {
  return isEnd(byte) || byte === COMMA || byte === SEMICOLON || byte === TILDE || byte === OPEN_BRACE;
}
