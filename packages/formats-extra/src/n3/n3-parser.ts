/**
 * Parses the RDF part of N3 with the library n3: no formulas, rules and variables. This file adds the checks that the library lacks:
 * UTF-8, IRIs that can be stored, and limits for hostile documents.
 */
import { DEFAULT_LIMITS, Utf8Decoder } from '@quadrille/formats';
import type { ParserLimits, ParserOptions, RdfParser } from '@quadrille/formats';
import { LONG_IRI, MAX_IRI_BYTES, ParseError } from '@quadrille/model';
import type { ParsePosition } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { Lexer, Parser } from 'n3';
import { SinkTermFactory, tooLongTerm } from '../terms/sink-term-factory.js';
import type { SinkQuad, SinkTerm } from '../terms/sink-term-factory.js';

/** A parser for N3. */
export function createN3Parser(options: ParserOptions): RdfParser {
  return new N3Parser(options);
}

/** A token of n3. Lines count from 1, columns from 0. */
interface Token {
  readonly type: string;
  readonly value?: string;
  readonly line: number;
  readonly start?: number;
  readonly end?: number;
}

type TokenListener = (error: Error | null, token: Token) => void;
type Listener = (value?: unknown) => void;

/** A member of the lexer that its types lack: the input behind the last token. */
interface PendingInput {
  readonly _input?: string | null;
  readonly _line?: number;
}

// n3 holds each chunk as a string, so chunks are small.
const SLICE_BYTES = 256 * 1024;
const OPENING = new Set(['[', '(', '<<', '<<(', '{|']);
const CLOSING = new Set([']', ')', '>>', ')>>', '|}']);
/** Features of N3 that are not RDF, by types of tokens. */
const BEYOND_RDF: ReadonlyMap<string, string> = new Map([
  ['{', 'a formula'],
  ['}', 'a formula'],
  ['var', 'a variable'],
  ['inverse', 'a rule'],
  ['@forAll', 'a variable'],
  ['@forSome', 'a variable'],
]);

/** An incomplete IRI or prefixed name. */
const CUT_IRI = /^(?:<|[^\s:<>"'#@?()[\]{},;]*:)(?:[^\s<>"'()[\]{},;\\]+|\\u.{4}|\\U.{8}|\\[^uU])*/;
/** One character, or an escape. */
const ESCAPE = /\\(?:u.{4}|U.{8}|.)/g;
/** Length from which on an IRI is too long, even if each of its characters is escaped. */
const MAX_ESCAPED_IRI = 11 * MAX_IRI_BYTES;

/** Characters that no IRI and no name has. */
const ENDS_TOKEN = ' <>{}';
const HAS_END = new RegExp(`[${ENDS_TOKEN}]`);
/** Characters of names that the expressions of n3 also take for blanks, so that a name ends there where its rest is not there yet. */
const BLANK_IN_NAME = /[\u1680\ufeff]/;

class N3Parser implements RdfParser {
  readonly #source: string | undefined;
  readonly #limits: Required<ParserLimits>;
  readonly #factory: SinkTermFactory;
  readonly #baseIRI: string | undefined;
  readonly #decoder: Utf8Decoder;
  readonly #listeners = new Map<string, Listener>();
  #token: Token | undefined;
  #depth = 0;
  /** Names of the declared prefixes. Declaring one again does not count as another prefix. */
  readonly #prefixes = new Set<string>();
  #bytesSinceToken = 0;
  #lexer: PendingInput = {};
  /** Number of characters that n3 was given, and of those before its current line. */
  #given = 0;
  #lineStart = 0;
  /** Start of a long incomplete token. */
  #cutToken: ParsePosition | undefined;
  #hasData = false;
  /** The start of a token that n3 does not have yet: it would decide by what is there. */
  #held: string[] = [];
  #heldLength = 0;
  #complete = false;
  /** An error of the sink. It is not a fault of the document. */
  #foreign: { readonly error: unknown } | undefined;

  constructor({ sink, source, baseIRI, limits, onFault }: ParserOptions) {
    this.#source = source;
    this.#baseIRI = baseIRI;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#decoder = new Utf8Decoder(source);
    const fail = (reason: string): ParseError => this.#errorAt(this.#token, reason);
    this.#factory = new SinkTermFactory(sink, this.#limits.maxTermBytes, fail, onFault);
    this.#start();
  }

  push(chunk: Uint8Array): void {
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
    this.#feed(this.#decoder.decode(new Uint8Array(0), true));
    this.#give(this.#takeHeld());
    if (!this.#hasData) return;
    this.#emit('end');
    if (!this.#complete) throw this.#errorAt(this.#token, 'unexpected end of the document');
  }

  #start(): void {
    const baseIRI = this.#baseIRI;
    const options = {
      format: 'text/n3',
      factory: this.#factory as unknown as RDF.DataFactory,
      lexer: this.#createLexer(),
      // Keeps the labels of the document unchanged.
      blankNodePrefix: '_:',
      // Otherwise a label within a triple term of N3 would be another node.
      formulaScopedBlankNodes: true,
      parseUnsupportedVersions: true,
      maxTripleTermDepth: this.#limits.maxDepth,
      ...(baseIRI === undefined ? {} : { baseIRI }),
    };
    const stream = { on: (event: string, listener: Listener) => this.#listeners.set(event, listener) };
    const parser = new Parser(options);
    parser.parse(stream as never, (error: Error | null, quad: unknown) => this.#onQuad(error, quad as SinkQuad | null));
  }

  /** Wraps the lexer of n3 to check its tokens. */
  #createLexer(): object {
    const lexer = new Lexer({ n3: true, comments: true });
    this.#lexer = lexer as unknown as PendingInput;
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
    this.#refuseBeyondRdf(token);
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

  // N3 allows any term in any position, also in triple terms.
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
    if (this.#heldLength > 0 && this.#heldLength < MAX_ESCAPED_IRI && !HAS_END.test(text)) return this.#hold(text);
    const all = this.#takeHeld() + text;
    const start = undecidedFrom(all);
    const isLong = all.length - start > MAX_ESCAPED_IRI;
    this.#give(isLong ? all : all.slice(0, start));
    if (!isLong && start < all.length) this.#hold(all.slice(start));
  }

  #hold(text: string): void {
    this.#held.push(text);
    this.#heldLength += text.length;
  }

  #takeHeld(): string {
    const text = this.#held.join('');
    this.#held = [];
    this.#heldLength = 0;
    return text;
  }

  #give(text: string): void {
    if (text === '') return;
    this.#hasData = true;
    const lineEnd = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    if (lineEnd >= 0) this.#lineStart = this.#given + lineEnd + 1;
    this.#given += text.length;
    this.#emit('data', text);
    this.#checkPending();
  }

  /** Refuses an incomplete token that is already too long. */
  #checkPending(): void {
    const { _input: pending, _line: line } = this.#lexer;
    this.#cutToken = undefined;
    if (typeof pending !== 'string' || pending.length <= MAX_IRI_BYTES) return;
    this.#cutToken = { line, column: this.#given - pending.length - this.#lineStart + 1 };
    const reason = this.#tooLong(pending.startsWith('^^') ? pending.slice(2) : pending);
    if (reason !== undefined) throw new ParseError('RDF_SYNTAX', reason, this.#position(this.#cutToken));
  }

  #tooLong(token: string): string | undefined {
    const { maxTermBytes } = this.#limits;
    if (token.startsWith('_:')) return token.length > maxTermBytes ? tooLongTerm(maxTermBytes) : undefined;
    const [start = ''] = CUT_IRI.exec(token.slice(0, MAX_ESCAPED_IRI)) ?? [];
    const name = start.startsWith('<') ? start.slice(1) : start.slice(start.indexOf(':') + 1);
    return name.replaceAll(ESCAPE, 'x').length > MAX_IRI_BYTES ? LONG_IRI : undefined;
  }

  #emit(event: string, value?: unknown): void {
    try {
      this.#listeners.get(event)?.(value);
    } catch (error) {
      if (this.#foreign !== undefined) throw this.#foreign.error;
      if (error instanceof ParseError) throw error;
      // n3 may throw a TypeError if a document is broken within a statement.
      throw this.#errorAt(this.#token, 'the statement cannot be understood', error);
    }
  }

  #onQuad(error: Error | null, quad: SinkQuad | null): void {
    if (error !== null) throw this.#errorOf(error);
    if (quad === null) {
      this.#complete = true;
      return;
    }
    this.#refuseGeneralized(quad.subject, quad.predicate, quad.object);
    const factory = this.#factory;
    try {
      factory.statement(quad.subject, quad.predicate, quad.object, quad.graph);
    } catch (cause) {
      this.#foreign = { error: cause };
      throw cause;
    }
  }

  /** Converts an error of n3 to a ParseError: the line moves from the text to the position. */
  #errorOf(error: Error): ParseError {
    const { context } = error as { context?: { token?: Token; line?: number; previousToken?: Token } };
    const reason = error.message.replace(/ on line \d+\.$/, '');
    if (context?.token !== undefined) return this.#errorAt(context.token, reason, error);
    // A regular expression of the lexer overflows the stack on very long tokens.
    if (reason === 'Token too long' && this.#cutToken !== undefined) {
      return new ParseError('RDF_SYNTAX', 'the token is too long', this.#position(this.#cutToken), { cause: error });
    }
    const before = this.#token;
    const line = context?.line ?? before?.line;
    const column = before?.end !== undefined && before.line === line ? before.end + 1 : undefined;
    return new ParseError('RDF_SYNTAX', reason, this.#position({ line, column }), { cause: error });
  }

  #errorAt(token: Token | undefined, reason: string, cause?: unknown): ParseError {
    const column = token?.start === undefined ? undefined : token.start + 1;
    return new ParseError('RDF_SYNTAX', reason, this.#position({ line: token?.line ?? 1, column }), { cause });
  }

  #position(place: ParsePosition): ParsePosition {
    return { source: this.#source, ...place };
  }
}

/** Where the last token begins, if n3 could take it for another one as long as its end is missing; otherwise the end of the text. */
function undecidedFrom(text: string): number {
  const last = Math.max(...Array.from(ENDS_TOKEN, (character) => text.lastIndexOf(character)));
  const next = text[last + 1];
  // An IRI such as `<=a>`, or an arrow.
  if (text[last] === '<' && (next === undefined || next === '=' || next === '-')) return last;
  return BLANK_IN_NAME.test(text.slice(last + 1)) ? last + 1 : text.length;
}
