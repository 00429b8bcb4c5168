/**
 * Turtle and TriG (RDF 1.2) through n3, behind the same interface as the line parser. What n3 leaves open is checked
 * here: UTF-8, that every IRI can be stored, and the limits that a hostile document runs into.
 */
import { ParseError } from '@quadrille/model';
import type { ParsePosition, QuadSink } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { Lexer, Parser } from 'n3';
import { DEFAULT_LIMITS } from '../parser.js';
import type { ParserLimits, ParserOptions, PlainParser, RdfParser, ReadSoFar } from '../parser.js';
import { PlainDocument } from './plain-document.js';
import { PlainTurtle } from './plain-turtle.js';
import { SinkTermFactory } from '../terms/sink-term-factory.js';
import type { SinkQuad, SinkTerm } from '../terms/sink-term-factory.js';
import { Utf8Decoder } from '../text/utf8-decoder.js';

export interface TurtleParserOptions extends ParserOptions {
  /** TriG: the document may name graphs. */
  readonly trig: boolean;
  /** N3 without formulas, rules and variables, which are no RDF. */
  readonly n3?: boolean;
  /** Whether what is plain is read by our own reader, which is faster. Default: yes. */
  readonly plain?: boolean;
}

/** A parser for Turtle, or with `trig` for TriG. */
export function createTurtleParser(options: TurtleParserOptions): RdfParser {
  return new TurtleParser(options);
}

/** Reads what is plain of Turtle or TriG, and leaves the rest to a parser of {@link createTurtleParser}. */
export function createPlainTurtleParser(options: TurtleParserOptions): PlainParser {
  const { sink, trig, limits } = options;
  return new PlainDocument(new PlainTurtle(sink, trig, { ...DEFAULT_LIMITS, ...limits }), limits);
}

/** A token of n3: lines count from 1, columns from 0. */
interface Token {
  readonly type: string;
  readonly value?: string;
  readonly line: number;
  readonly start?: number;
  readonly end?: number;
}

type TokenListener = (error: Error | null, token: Token) => void;
type Listener = (value?: unknown) => void;

// n3 takes its input in one string for each chunk; small ones keep what it holds small.
const SLICE_BYTES = 256 * 1024;
const SMALL_BYTES = 64;
const OPENING = new Set(['[', '(', '<<', '<<(', '{|']);
const CLOSING = new Set([']', ')', '>>', ')>>', '|}']);
/** What N3 has and RDF has not, by the types of tokens. */
const BEYOND_RDF: ReadonlyMap<string, string> = new Map([
  ['{', 'a formula'],
  ['}', 'a formula'],
  ['var', 'a variable'],
  ['inverse', 'a rule'],
  ['@forAll', 'a variable'],
  ['@forSome', 'a variable'],
]);

class TurtleParser implements RdfParser {
  readonly #sink: QuadSink;
  readonly #source: string | undefined;
  readonly #limits: Required<ParserLimits>;
  readonly #factory: SinkTermFactory;
  readonly #trig: boolean;
  #decoder: Utf8Decoder;
  /** Reads what is plain, until something is not. */
  #plain: PlainParser | undefined;
  #base: string | undefined;
  /** Line of the document less that of n3. */
  #lineShift = 0;
  /** n3 is being told what was declared: what that states was not stated. */
  #inHead = false;
  readonly #n3: boolean;
  readonly #listeners = new Map<string, Listener>();
  #token: Token | undefined;
  #depth = 0;
  /** Names of the prefixes so far; declaring one again is no new one. */
  readonly #prefixes = new Set<string>();
  #bytesSinceToken = 0;
  #hasData = false;
  #complete = false;
  /** An error of the sink, which is none of the document. */
  #foreign: { readonly error: unknown } | undefined;

  constructor(options: TurtleParserOptions) {
    const { sink, source, limits } = options;
    this.#sink = sink;
    this.#source = source;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#decoder = new Utf8Decoder(source);
    this.#n3 = options.n3 ?? false;
    this.#trig = options.trig;
    this.#base = options.baseIRI;
    this.#factory = new SinkTermFactory(sink, this.#limits.maxTermBytes, (reason) =>
      this.#errorAt(this.#token, reason),
    );
    if (options.readSoFar !== undefined) this.#goOn(options.readSoFar, []);
    else if (this.#n3 || options.plain === false) this.#start();
    else this.#plain = createPlainTurtleParser(options);
  }

  push(chunk: Uint8Array): void {
    if (this.#plain === undefined) return this.#pushText(chunk);
    const rest = this.#plain.push(chunk);
    if (rest !== undefined) this.#goOn(this.#plain.readSoFar, rest);
  }

  /** Goes on with n3, which is told what was declared so far, and begins in the column where the statement does. */
  #goOn({ offset, line, column, base, head, started }: ReadSoFar, rest: readonly Uint8Array[]): void {
    this.#plain = undefined;
    this.#base = base ?? this.#base;
    this.#decoder = new Utf8Decoder(this.#source, offset, line);
    this.#start();
    this.#lineShift = line - 1 - head.length;
    this.#inHead = true;
    for (const declaration of head) this.#feed(`${declaration}\n`);
    this.#inHead = false;
    this.#token = started ? { type: '.', line: head.length + 1, start: column - 1, end: column } : undefined;
    if (column > 0) this.#feed(' '.repeat(column));
    this.#hasData = started;
    // In small pieces, so that the start of a long token counts.
    for (const bytes of rest) {
      for (let at = 0; at < bytes.length; at += SMALL_BYTES) this.#pushText(bytes.subarray(at, at + SMALL_BYTES));
    }
  }

  #pushText(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const slice = chunk.subarray(at, at + SLICE_BYTES);
      this.#bytesSinceToken += slice.length;
      this.#feed(this.#decoder.decode(slice, false));
      if (this.#bytesSinceToken > this.#limits.maxLineBytes) {
        throw this.#errorAt(this.#token, `a token is longer than ${this.#limits.maxLineBytes} bytes`);
      }
    }
  }

  end(): void {
    if (this.#plain !== undefined) {
      const rest = this.#plain.end();
      if (rest === undefined) return;
      this.#goOn(this.#plain.readSoFar, rest);
    }
    this.#feed(this.#decoder.decode(new Uint8Array(0), true));
    if (!this.#hasData) return;
    this.#emit('end');
    if (!this.#complete) throw this.#errorAt(this.#token, 'unexpected end of the document');
  }

  #start(): void {
    const baseIRI = this.#base;
    const options = {
      format: this.#n3 ? 'text/n3' : `text/${this.#trig ? 'trig' : 'turtle'}`,
      factory: this.#factory as unknown as RDF.DataFactory,
      lexer: this.#createLexer(),
      // Keeps the labels of the document as they are.
      blankNodePrefix: '_:',
      // Else a label within a triple term of N3 would be another node.
      formulaScopedBlankNodes: true,
      parseUnsupportedVersions: true,
      maxTripleTermDepth: this.#limits.maxDepth,
      ...(baseIRI === undefined ? {} : { baseIRI }),
    };
    const stream = { on: (event: string, listener: Listener) => this.#listeners.set(event, listener) };
    const parser = new Parser(options);
    parser.parse(stream as never, (error: Error | null, quad: unknown) => this.#onQuad(error, quad as SinkQuad | null));
  }

  /** The lexer of n3 with our eye on its tokens. */
  #createLexer(): object {
    const lexer = new Lexer({ n3: this.#n3, comments: true });
    return {
      comments: false,
      tokenize: (input: never, listener: TokenListener) => {
        lexer.tokenize(input, ((error: Error | null, token: Token) => {
          if (error === null) this.#check(token);
          if (error !== null || token.type !== 'comment') listener(error, token);
        }) as never);
      },
    };
  }

  #check(token: Token): void {
    this.#bytesSinceToken = 0;
    if (token.type === 'comment') return;
    this.#token = token;
    if (this.#n3) this.#refuseBeyondRdf(token);
    if (OPENING.has(token.type)) {
      if (++this.#depth > this.#limits.maxDepth) {
        throw this.#errorAt(token, `nested deeper than ${this.#limits.maxDepth}`);
      }
    } else if (CLOSING.has(token.type)) this.#depth--;
    else if (token.type === 'prefix') this.#countPrefix(token);
  }

  #refuseBeyondRdf(token: Token): void {
    const implies = token.type === 'abbreviation' && token.value === '>';
    const what = implies ? 'a rule' : BEYOND_RDF.get(token.type);
    if (what !== undefined) throw this.#errorAt(token, `${what} of N3 is no RDF and cannot be stored`);
  }

  // N3 allows any term anywhere, in triple terms too.
  #refuseGeneralized(subject: SinkTerm, predicate: SinkTerm, object: SinkTerm): void {
    if (subject.termType !== 'NamedNode' && subject.termType !== 'BlankNode') {
      throw this.#errorAt(this.#token, `a ${subject.termType} cannot be a subject`);
    }
    if (predicate.termType !== 'NamedNode') {
      throw this.#errorAt(this.#token, `a ${predicate.termType} cannot be a predicate`);
    }
    if (object.parts !== undefined) this.#refuseGeneralized(...object.parts);
  }

  #countPrefix(token: Token): void {
    this.#prefixes.add(token.value ?? '');
    if (this.#prefixes.size > this.#limits.maxPrefixes) {
      throw this.#errorAt(token, `more than ${this.#limits.maxPrefixes} prefixes`);
    }
  }

  #feed(text: string): void {
    if (text === '') return;
    this.#hasData = true;
    this.#emit('data', text);
  }

  #emit(event: string, value?: unknown): void {
    try {
      this.#listeners.get(event)?.(value);
    } catch (error) {
      if (this.#foreign !== undefined) throw this.#foreign.error;
      if (error instanceof ParseError) throw error;
      // n3 may stumble over its own state when a document is broken in the middle of a statement.
      throw this.#errorAt(this.#token, 'the statement cannot be understood', error);
    }
  }

  #onQuad(error: Error | null, quad: SinkQuad | null): void {
    if (error !== null) throw this.#errorOf(error);
    if (quad === null) {
      this.#complete = true;
      return;
    }
    if (this.#inHead) return;
    if (this.#n3) this.#refuseGeneralized(quad.subject, quad.predicate, quad.object);
    const factory = this.#factory;
    try {
      const subject = factory.handleOf(quad.subject);
      const predicate = factory.handleOf(quad.predicate);
      const object = factory.handleOf(quad.object);
      this.#sink.quad(subject, predicate, object, factory.handleOf(quad.graph));
    } catch (cause) {
      this.#foreign = { error: cause };
      throw cause;
    }
  }

  /** The error of n3 as ours: its text without the line, its place with it. */
  #errorOf(error: Error): ParseError {
    const { context } = error as { context?: { token?: Token; line?: number; previousToken?: Token } };
    const reason = error.message.replace(/ on line \d+\.$/, '');
    if (context?.token !== undefined) return this.#errorAt(context.token, reason, error);
    const before = this.#token;
    const line = context?.line ?? before?.line;
    const column = before?.end !== undefined && before.line === line ? before.end + 1 : undefined;
    return new ParseError(
      'RDF_SYNTAX',
      reason,
      this.#position({ line: line === undefined ? undefined : line + this.#lineShift, column }),
      { cause: error },
    );
  }

  #errorAt(token: Token | undefined, reason: string, cause?: unknown): ParseError {
    const column = token?.start === undefined ? undefined : token.start + 1;
    return new ParseError(
      'RDF_SYNTAX',
      reason,
      this.#position({ line: (token?.line ?? 1) + this.#lineShift, column }),
      { cause },
    );
  }

  #position(place: ParsePosition): ParsePosition {
    return { source: this.#source, ...place };
  }
}
