/** Terms of a document during the parse: small objects with their handles in the sink. */
import {
  DEFAULT_GRAPH_HANDLE,
  escapeLexicalForm,
  isAbsoluteIri,
  isLongIri,
  LONG_IRI,
  XSD_STRING,
} from '@quadrille/model';
import { BAD_TERM, skippingSink } from '@quadrille/formats';
import type { ParserOptions } from '@quadrille/formats';
import type { ParseError, QuadSink, TermHandle } from '@quadrille/model';

/** A term and its handle, which is 0 until the sink is asked for it. */
export interface SinkTerm {
  readonly termType: 'NamedNode' | 'BlankNode' | 'Literal' | 'DefaultGraph' | 'Quad';
  /** The IRI, the label of a blank node, or the canonical text of a literal. */
  readonly value: string;
  handle: TermHandle;
  /** Subject, predicate and object of a triple term. */
  readonly parts?: readonly [SinkTerm, SinkTerm, SinkTerm] | undefined;
}

export interface SinkQuad extends SinkTerm {
  readonly subject: SinkTerm;
  readonly predicate: SinkTerm;
  readonly object: SinkTerm;
  readonly graph: SinkTerm;
}

/** Called for a term that is not well formed, with its text. */
export type SkipTerm = NonNullable<ParserOptions['onFault']>;

const SHOWN_LENGTH = 500;
const MAX_CACHED_TERMS = 65_536;
const MAX_CACHED_LENGTH = 1024;
/** Longest cached literal. Longer ones rarely recur: caching them would cost more than asking the sink. */
const MAX_CACHED_LITERAL = 48;
// A label of the document with the form of a generated one gets another "_", so the two never collide.
const LIKE_ANONYMOUS = /^_*anon\d+$/;

/** Creates the terms of one parse. It is also an RDF/JS data factory for n3. */
export class SinkTermFactory {
  readonly #sink: QuadSink;
  readonly #maxTermBytes: number;
  readonly #fail: (reason: string) => Error;
  readonly #encoder = new TextEncoder();
  readonly #default: SinkTerm = newTerm('DefaultGraph', '', DEFAULT_GRAPH_HANDLE);
  /** Terms by their values. Building the canonical text of an IRI would cost more than the lookup. */
  readonly #iris = new Map<string, SinkTerm>();
  readonly #blankNodes = new Map<string, SinkTerm>();
  readonly #literals = new Map<string, SinkTerm>();
  #scratch = new Uint8Array(4096);
  #anonymous: number;

  /**
   * @param fail creates the error for a term that cannot be stored, at the position of the parser
   * @param skip called with the error and the text of an IRI or a language tag that is not well formed. Its statements are left out. Without
   *   it such a term ends the parse
   * @param blankNodes number of anonymous blank nodes that another parser has created from the document
   */
  constructor(
    sink: QuadSink,
    maxTermBytes: number,
    fail: (reason: string) => Error,
    private readonly skip?: SkipTerm,
    blankNodes = 0,
  ) {
    this.#anonymous = blankNodes;
    this.#sink = skip === undefined ? sink : skippingSink(sink);
    this.#maxTermBytes = maxTermBytes;
    this.#fail = fail;
  }

  /** The cached node of an IRI, if there is one. */
  knownNode(value: string): SinkTerm | undefined {
    return this.#iris.get(value);
  }

  namedNode(value: string): SinkTerm {
    const cached = this.#iris.get(value);
    if (cached !== undefined) return cached;
    if (isLongIri(value)) throw this.#fail(LONG_IRI);
    if (!isAbsoluteIri(value)) return this.bad(`not an absolute IRI: <${value.slice(0, 100)}>`, value);
    return remember(this.#iris, newTerm('NamedNode', value));
  }

  /** The term for one that is not well formed, if those are skipped. Otherwise throws the error. */
  bad(reason: string, text: string): SinkTerm {
    const error = this.#fail(reason);
    if (this.skip === undefined) throw error;
    this.skip(error as ParseError, text.slice(0, SHOWN_LENGTH));
    return BAD;
  }

  /** Passes a statement to the sink. */
  statement(subject: SinkTerm, predicate: SinkTerm, object: SinkTerm, graph: SinkTerm): void {
    const [s, p, o] = [this.handleOf(subject), this.handleOf(predicate), this.handleOf(object)];
    this.#sink.quad(s, p, o, this.handleOf(graph));
  }

  blankNode(label?: string): SinkTerm {
    if (label === undefined) return newTerm('BlankNode', `anon${++this.#anonymous}`);
    const value = LIKE_ANONYMOUS.test(label) ? `_${label}` : label;
    return this.#blankNodes.get(value) ?? remember(this.#blankNodes, newTerm('BlankNode', value));
  }

  literal(value: string, suffix?: string | SinkTerm | { language: string; direction?: string }): SinkTerm {
    if (value.length > this.#maxTermBytes) throw this.#tooLong();
    if (suffix === BAD) return BAD;
    const text = `"${escapeLexicalForm(value)}"${this.#suffixText(suffix)}`;
    if (value.length > MAX_CACHED_LITERAL) return newTerm('Literal', text);
    return this.#literals.get(text) ?? remember(this.#literals, newTerm('Literal', text));
  }

  defaultGraph(): SinkTerm {
    return this.#default;
  }

  quad(subject: SinkTerm, predicate: SinkTerm, object: SinkTerm, graph: SinkTerm): SinkQuad {
    const parts = [subject, predicate, object] as const;
    return { termType: 'Quad', value: '', handle: 0, parts, subject, predicate, object, graph };
  }

  /** The handle of a term. The sink is asked once. */
  handleOf(term: SinkTerm): TermHandle {
    if (term.handle === 0) term.handle = this.#newHandle(term);
    return term.handle;
  }

  #newHandle(term: SinkTerm): TermHandle {
    if (term.parts !== undefined) {
      const [subject, predicate, object] = term.parts;
      return this.#sink.tripleTerm(this.handleOf(subject), this.handleOf(predicate), this.handleOf(object));
    }
    const text = term.termType === 'NamedNode' ? `<${term.value}>` : term.value;
    if (text.length * 3 > this.#scratch.length) this.#scratch = new Uint8Array(text.length * 3);
    const { written } = this.#encoder.encodeInto(text, this.#scratch);
    if (written > this.#maxTermBytes) throw this.#tooLong();
    if (term.termType === 'BlankNode') return this.#sink.blankNode(this.#scratch, 0, written);
    return this.#sink.term(this.#scratch, 0, written);
  }

  #suffixText(suffix?: string | SinkTerm | { language: string; direction?: string }): string {
    if (suffix === undefined) return '';
    if (typeof suffix === 'string') return this.#languageText(suffix);
    if ('language' in suffix) {
      const direction = suffix.direction === undefined ? '' : `--${suffix.direction}`;
      return this.#languageText(suffix.language) + direction;
    }
    return suffix.value === XSD_STRING ? '' : `^^<${suffix.value}>`;
  }

  #languageText(language: string): string {
    if (language.length > 255) throw this.#fail('the language tag is too long');
    return `@${language.toLowerCase()}`;
  }

  #tooLong(): Error {
    return this.#fail(tooLongTerm(this.#maxTermBytes));
  }
}

export const tooLongTerm = (maxTermBytes: number): string => `the term is longer than ${maxTermBytes} bytes`;

const BAD: SinkTerm = newTerm('NamedNode', '', BAD_TERM);

// All terms except triple terms have the same hidden class.
function newTerm(termType: SinkTerm['termType'], value: string, handle: TermHandle = 0): SinkTerm {
  return { termType, value, handle, parts: undefined };
}

function remember(cache: Map<string, SinkTerm>, term: SinkTerm): SinkTerm {
  if (term.value.length <= MAX_CACHED_LENGTH) {
    // Clearing is cheap: for the same term the sink returns the same handle, or an equivalent one.
    if (cache.size >= MAX_CACHED_TERMS) cache.clear();
    cache.set(term.value, term);
  }
  return term;
}
