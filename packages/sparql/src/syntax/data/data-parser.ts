/**
 * A parser by hand for updates that consist of INSERT DATA and DELETE DATA. It is much faster than the grammar and works in steps, so
 * that a large update does not block the event loop. Its patterns are those of the grammar.
 */
import type * as RDF from '@rdfjs/types';
import { defaultGraph, iri, XSD } from '@quadrille/model';
import type { Pattern, UpdateOperation } from '../../algebra/algebra.js';
import type { ParsedUpdate } from '../../algebra/request.js';
import { makePattern, makeVariable, termFactory } from '../../algebra/terms.js';
import { DataScanner } from './data-scanner.js';

/** A step ends after so many quads, or so many characters. */
const PART_QUADS = 256;
const PART_CHARS = 65_536;
/** The most IRIs whose terms are kept and reused: predicates, types and graphs are few. */
const MOST_KEPT = 4096;

const RDF_NS = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const TYPE = iri(`${RDF_NS}type`);
const FIRST = iri(`${RDF_NS}first`);
const REST = iri(`${RDF_NS}rest`);
const NIL = iri(`${RDF_NS}nil`);
const BOOLEAN = iri(`${XSD}boolean`);
const NUMBERS = { integer: iri(`${XSD}integer`), decimal: iri(`${XSD}decimal`), double: iri(`${XSD}double`) };
const ABSOLUTE = /^[a-z][\d+.a-z-]*:/i;

/** An open construct: the triples of a subject, `[ … ]`, or `( … )`. */
interface Frame {
  readonly kind: 'triples' | 'blank' | 'list';
  /** The subject of what follows; of a list its first node, once it has one. */
  subject: RDF.Term | undefined;
  predicate: RDF.Term | undefined;
  /** The last node of a list. */
  last: RDF.Term | undefined;
}

/** What may come next. */
type Expected = 'operation' | 'subject' | 'predicate' | 'predicate or end' | 'object' | 'after object';

export interface DataOptions {
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  readonly baseIRI?: string | undefined;
}

export class DataParser {
  readonly #scanner: DataScanner;
  /** The prefixes of the text; {@link DataOptions.prefixes} has others. */
  readonly #declared = new Map<string, string>();
  readonly #defaults: Readonly<Record<string, string>>;
  readonly #used = new Map<string, string>();
  readonly #operations: UpdateOperation[] = [];
  readonly #kept = new Map<string, RDF.NamedNode>();
  /** The operation of each label: two operations must not share one. */
  readonly #labels = new Map<string, number>();
  readonly #graphs = new Map<string, RDF.NamedNode>();
  readonly #open: Frame[] = [];
  #patterns: Pattern[] = [];
  #expected: Expected = 'operation';
  #graph: RDF.NamedNode | RDF.DefaultGraph = defaultGraph();
  #inserts = true;
  #blanks = 0;
  #baseIRI: string | undefined;

  private constructor(text: string, { prefixes = {}, baseIRI }: DataOptions) {
    this.#scanner = new DataScanner(text);
    this.#defaults = prefixes;
    this.#baseIRI = baseIRI;
  }

  /**
   * A parser for a text whose first operation is INSERT DATA or DELETE DATA; `undefined` for another text.
   * @throws UnknownData where its prologue is wrong, or more than this parser knows
   */
  static of(text: string, options: DataOptions): DataParser | undefined {
    const parser = new DataParser(text, options);
    const scanner = parser.#scanner;
    for (;;) {
      const start = scanner.at;
      const word = scanner.word();
      scanner.at += word.length;
      if (word === 'PREFIX') parser.#readPrefix();
      else if (word === 'BASE') parser.#baseIRI = parser.#readIri().value;
      else {
        const isData = (word === 'INSERT' || word === 'DELETE') && scanner.word() === 'DATA';
        scanner.at = start;
        return isData ? parser : undefined;
      }
    }
  }

  /**
   * Makes one step; false at the end of the text.
   * @throws UnknownData where the text is wrong, or not data
   */
  step(): boolean {
    const chars = this.#scanner.at + PART_CHARS;
    const quads = this.#patterns.length + PART_QUADS;
    while (this.#scanner.at < chars && this.#patterns.length < quads) {
      if (!this.#next()) return false;
    }
    return true;
  }

  /** The parsed update, after the last step. */
  get result(): ParsedUpdate {
    return {
      kind: 'update',
      operations: this.#operations,
      dataset: undefined,
      graphs: [...this.#graphs.values()],
      baseIRI: this.#baseIRI,
      prefixes: Object.fromEntries(this.#used),
    };
  }

  #next(): boolean {
    switch (this.#expected) {
      case 'operation':
        return this.#readOperation();
      case 'subject':
        this.#readSubject();
        break;
      case 'predicate':
      case 'predicate or end':
        this.#readPredicate();
        break;
      case 'object':
        this.#readObject();
        break;
      default:
        this.#readAfterObject();
    }
    return true;
  }

  // ── Operations and graphs ───────────────────────────────────────────────────────────────────────────────────────

  #readOperation(): boolean {
    const scanner = this.#scanner;
    if (scanner.peek() === '') return this.#operations.length > 0 ? false : scanner.fail();
    const word = scanner.word();
    scanner.at += word.length;
    if (word === 'PREFIX') this.#readPrefix();
    else if (word === 'BASE') this.#baseIRI = this.#readIri().value;
    else if (word === 'INSERT' || word === 'DELETE') {
      if (scanner.word() !== 'DATA') scanner.fail();
      scanner.at += 4;
      scanner.take('{');
      this.#inserts = word === 'INSERT';
      this.#expected = 'subject';
    } else scanner.fail();
    return true;
  }

  #readPrefix(): void {
    const scanner = this.#scanner;
    scanner.peek();
    const { prefix, local } = scanner.prefixedName();
    if (local !== '') scanner.fail();
    this.#declared.set(prefix, this.#readIri().value);
  }

  #endOperation(): void {
    const data = this.#patterns;
    const some = data.length > 0;
    this.#operations.push({
      type: 'deleteinsert',
      ...(some && this.#inserts && { insert: data }),
      ...(some && !this.#inserts && { delete: data }),
    });
    this.#patterns = [];
    this.#expected = 'operation';
    const scanner = this.#scanner;
    if (scanner.peek() === ';') scanner.at++;
    else if (scanner.peek() !== '') scanner.fail();
  }

  #openGraph(): void {
    const scanner = this.#scanner;
    scanner.at += 5;
    scanner.peek();
    const graph = this.#readIri();
    this.#graph = graph;
    this.#graphs.set(graph.value, graph);
    scanner.take('{');
    this.#expected = 'subject';
  }

  /** Ends the graph or the operation at a closing brace. */
  #close(): void {
    const scanner = this.#scanner;
    scanner.at++;
    if (this.#graph.termType === 'DefaultGraph') return this.#endOperation();
    this.#graph = defaultGraph();
    this.#expected = 'subject';
    if (scanner.peek() === '.') scanner.at++;
  }

  // ── Triples ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #readSubject(): void {
    const char = this.#scanner.peek();
    if (char === '}') return this.#close();
    if (this.#isGraph(char)) return this.#openGraph();
    this.#open.push({ kind: 'triples', subject: undefined, predicate: undefined, last: undefined });
    const subject = this.#readNode(char);
    if (subject !== undefined) this.#setSubject(subject, false);
  }

  /** `nested`: the subject is `[ … ]` or `( … )`, which needs no predicate behind it. */
  #setSubject(subject: RDF.Term, nested: boolean): void {
    if (subject.termType === 'Literal') this.#scanner.fail();
    this.#open[0]!.subject = subject;
    this.#expected = nested ? 'predicate or end' : 'predicate';
  }

  #readPredicate(): void {
    const scanner = this.#scanner;
    const char = scanner.peek();
    const isEnd = char === '.' || char === ';' || char === ']' || char === '}' || this.#isGraph(char);
    if (isEnd && this.#expected === 'predicate or end') return this.#readAfterObject();
    const frame = this.#open.at(-1)!;
    if (char === 'a' && /^a[\s<"'[(#]/.test(scanner.text.slice(scanner.at, scanner.at + 2))) {
      scanner.at++;
      frame.predicate = TYPE;
    } else frame.predicate = this.#readIri();
    this.#expected = 'object';
  }

  #readObject(): void {
    const char = this.#scanner.peek();
    const frame = this.#open.at(-1)!;
    if (frame.kind === 'list' && char === ')') return this.#endList(frame);
    const object = char === '"' || char === "'" ? this.#readString() : this.#readNode(char);
    if (object !== undefined) this.#addObject(object);
  }

  #addObject(object: RDF.Term): void {
    const frame = this.#open.at(-1)!;
    if (frame.kind !== 'list') {
      this.#add(frame.subject!, frame.predicate!, object);
      this.#expected = 'after object';
      return;
    }
    const node = this.#newBlank();
    if (frame.last === undefined) frame.subject = node;
    else this.#add(frame.last, REST, node);
    this.#add(node, FIRST, object);
    frame.last = node;
    this.#expected = 'object';
  }

  #endList(frame: Frame): void {
    this.#scanner.at++;
    this.#add(frame.last!, REST, NIL);
    this.#endNested(frame);
  }

  /** At a closing bracket: its node becomes the subject or an object of the enclosing construct. */
  #endNested(frame: Frame): void {
    this.#open.pop();
    if (this.#open.length === 1 && this.#open[0]!.subject === undefined) this.#setSubject(frame.subject!, true);
    else this.#addObject(frame.subject!);
  }

  #readAfterObject(): void {
    const scanner = this.#scanner;
    const frame = this.#open.at(-1)!;
    const char = scanner.peek();
    if (char === ',' && this.#expected === 'after object') {
      scanner.at++;
      this.#expected = 'object';
    } else if (char === ';' && frame.predicate !== undefined) {
      scanner.at++;
      this.#expected = 'predicate or end';
    } else if (frame.kind === 'blank' && char === ']' && frame.predicate !== undefined) {
      scanner.at++;
      this.#endNested(frame);
    } else if (frame.kind === 'triples' && (char === '.' || char === '}' || this.#isGraph(char))) {
      if (char === '.') scanner.at++;
      this.#open.pop();
      this.#expected = 'subject';
    } else scanner.fail();
  }

  #isGraph(char: string): boolean {
    if ((char !== 'G' && char !== 'g') || this.#graph.termType !== 'DefaultGraph') return false;
    return this.#scanner.word() === 'GRAPH';
  }

  // ── Terms ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Reads a node; `undefined` at the beginning of `[ … ]` or `( … )`. */
  #readNode(char: string): RDF.Term | undefined {
    const scanner = this.#scanner;
    switch (char) {
      case '<':
        return this.#readIri();
      case '_':
        return this.#labelled(scanner.blankLabel());
      case '[':
      case '(':
        scanner.at++;
        return this.#openNested(char);
      default:
        return /[-+.0-9]/.test(char) ? this.#readNumber() : this.#readWord();
    }
  }

  #openNested(char: '[' | '('): RDF.Term | undefined {
    const scanner = this.#scanner;
    const isList = char === '(';
    if (scanner.peek() === (isList ? ')' : ']')) {
      scanner.at++;
      return isList ? NIL : this.#newBlank();
    }
    const subject = isList ? undefined : this.#newBlank();
    this.#open.push({ kind: isList ? 'list' : 'blank', subject, predicate: undefined, last: undefined });
    this.#expected = isList ? 'object' : 'predicate';
    return undefined;
  }

  #readWord(): RDF.Term {
    const scanner = this.#scanner;
    for (const word of ['true', 'false']) {
      if (scanner.text.startsWith(word, scanner.at) && scanner.word() === word.toUpperCase()) {
        scanner.at += word.length;
        return termFactory.literal(word, BOOLEAN);
      }
    }
    return this.#readIri();
  }

  #readNumber(): RDF.Literal {
    const { text, kind } = this.#scanner.number();
    return termFactory.literal(text, NUMBERS[kind]);
  }

  #readString(): RDF.Literal {
    const scanner = this.#scanner;
    const value = scanner.string();
    const language = scanner.language();
    if (language !== undefined) return termFactory.literal(value, language);
    if (!scanner.text.startsWith('^^', scanner.at)) return termFactory.literal(value);
    scanner.at += 2;
    scanner.peek();
    return termFactory.literal(value, this.#readIri());
  }

  #readIri(): RDF.NamedNode {
    const scanner = this.#scanner;
    if (scanner.peek() === '<') {
      const value = scanner.iri();
      // Resolving against a base is left to the grammar.
      return ABSOLUTE.test(value) ? this.#iri(value) : scanner.fail();
    }
    const { prefix, local } = scanner.prefixedName();
    const declared = this.#declared.get(prefix);
    const namespace = declared ?? (Object.hasOwn(this.#defaults, prefix) ? this.#defaults[prefix] : undefined);
    if (namespace === undefined || !ABSOLUTE.test(namespace)) return scanner.fail();
    this.#used.set(prefix, namespace);
    return this.#iri(namespace + local);
  }

  #iri(value: string): RDF.NamedNode {
    const known = this.#kept.get(value);
    if (known !== undefined) return known;
    const node = iri(value);
    if (this.#kept.size < MOST_KEPT) this.#kept.set(value, node);
    return node;
  }

  #labelled(label: string): RDF.Variable {
    const operation = this.#operations.length;
    const known = this.#labels.get(label);
    if (known === undefined) this.#labels.set(label, operation);
    else if (known !== operation) this.#scanner.fail();
    return this.#blank(`_:e_${label}`);
  }

  #newBlank(): RDF.Variable {
    return this.#blank(`_:g_${this.#blanks++}`);
  }

  /** Blank nodes are variables here, as in all templates: each run makes new ones. */
  #blank(name: string): RDF.Variable {
    return this.#inserts ? makeVariable(name) : this.#scanner.fail();
  }

  #add(subject: RDF.Term, predicate: RDF.Term, object: RDF.Term): void {
    this.#patterns.push(makePattern(subject, predicate, object, this.#graph));
  }
}
