/** Triples: their nodes, collections, property lists, triple terms, reifiers and annotations. */
import type * as RDF from '@rdfjs/types';
import { iri, RDF_NS } from '@quadrille/model';
import { termFactory } from '../../algebra/terms.js';
import { isPath, PathParser, type Verb } from './path-parser.js';
import { NIL } from './term-parser.js';
import type { Parsing } from './token-reader.js';
import { Template, type TripleSink } from './triple-sinks.js';

const FIRST = iri(`${RDF_NS}first`);
const REST = iri(`${RDF_NS}rest`);
const REIFIES = iri(`${RDF_NS}reifies`);
const TERM = 'a term';

export abstract class TriplesParser extends PathParser {
  /** Where the triples go to that are being read. */
  protected sink: TripleSink = new Template();

  /** Whether the token begins a triple. */
  protected get isTriple(): boolean {
    switch (this.lexer.token) {
      case 'variable':
      case 'iri':
      case 'name':
      case 'blank':
      case '[]':
      case '[':
      case '(':
      case '()':
      case '<<':
      case '<<(':
      case 'string':
      case 'integer':
      case 'decimal':
      case 'double':
      case 'TRUE':
      case 'FALSE':
        return true;
      default:
        return false;
    }
  }

  /** Triples with dots between them, as long as there are any. */
  protected *triples(): Parsing<void> {
    while (this.isTriple) {
      if (this.isPauseDue) yield;
      yield* this.#sameSubject();
      if (!this.take('.')) return;
    }
  }

  *#sameSubject(): Parsing<void> {
    const { token } = this.lexer;
    const standsAlone = token === '(' || token === '[' || token === '<<';
    const subject = this.simpleTerm() ?? (yield* this.#node());
    if (!standsAlone || this.isVerb) yield* this.#propertyList(subject);
  }

  *#propertyList(subject: RDF.Term): Parsing<void> {
    do {
      const verb = yield* this.verb();
      do {
        if (this.isPauseDue) yield;
        const object = this.simpleTerm() ?? (yield* this.#node());
        if (isPath(verb)) this.sink.addPath(subject, verb, object);
        else this.sink.add(subject, verb, object);
        const { token } = this.lexer;
        if (token === '~' || token === '{|') yield* this.#annotations(subject, verb, object);
      } while (this.take(','));
      if (this.lexer.token !== ';') return;
      while (this.take(';'));
    } while (this.isVerb);
  }

  /** A node that consists of other terms. It has not been read yet. */
  #node(): Parsing<RDF.Term> {
    switch (this.lexer.token) {
      case '[':
        return this.#blankNodeWithProperties();
      case '(':
        return this.#collection();
      case '<<':
        return this.#reifiedTriple();
      case '<<(':
        return this.#tripleTerm();
      default:
        return this.fail(TERM);
    }
  }

  *#blankNodeWithProperties(): Parsing<RDF.Term> {
    const node = this.newBlankNode();
    this.advance();
    yield* this.#propertyList(node);
    this.expect(']', "';', ',' or ']'");
    return node;
  }

  *#collection(): Parsing<RDF.Term> {
    const list = this.newBlankNode();
    this.advance();
    for (let node = list; ;) {
      if (this.isPauseDue) yield;
      const item = this.simpleTerm() ?? (yield* this.#node());
      this.sink.add(node, FIRST, item);
      const isLast = this.lexer.token === ')';
      const rest = isLast ? NIL : this.newBlankNode();
      this.sink.add(node, REST, rest);
      if (this.take(')')) return list;
      node = rest as RDF.Variable;
    }
  }

  // ── Triples about triples ───────────────────────────────────────────────────────────────────────────────────────

  /** A triple term. All its members are terms of this kind, or simple ones. */
  *#tripleTerm(): Parsing<RDF.Term> {
    this.expect('<<(', TERM);
    const subject = this.#memberTerm() ?? (yield* this.#tripleTerm());
    const predicate = this.simpleVerb();
    const object = this.#memberTerm() ?? (yield* this.#tripleTerm());
    this.expect(')>>');
    return tripleTerm(subject, predicate, object);
  }

  /** Gives the reifier of the triple, which stands for it. */
  *#reifiedTriple(): Parsing<RDF.Term> {
    const { start } = this.lexer;
    this.advance();
    const subject = this.#memberTerm() ?? (yield* this.#reifiedMember());
    const predicate = this.simpleVerb();
    const object = this.#memberTerm() ?? (yield* this.#reifiedMember());
    if (this.lexer.token !== '~' && this.rules.blankNodes === 'none') this.#refuseUnnamedReifier(start);
    const reifier = this.lexer.token === '~' ? this.#reifier() : this.newBlankNode();
    this.expect('>>', "'~' or '>>'");
    this.sink.add(reifier, REIFIES, tripleTerm(subject, predicate, object));
    return reifier;
  }

  #reifiedMember(): Parsing<RDF.Term> {
    return this.lexer.token === '<<' ? this.#reifiedTriple() : this.#tripleTerm();
  }

  /** Lists cannot be members of a triple term. */
  #memberTerm(): RDF.Term | undefined {
    return this.lexer.token === '()' ? this.fail(TERM) : this.simpleTerm();
  }

  /** `~` with the term behind it, if there is one. */
  #reifier(): RDF.Term {
    const { start } = this.lexer;
    this.advance();
    const { token } = this.lexer;
    if (token === 'variable' || this.isIri || token === 'blank' || token === '[]') return this.simpleTerm()!;
    if (this.rules.blankNodes === 'none') this.#refuseUnnamedReifier(start);
    return this.newBlankNode();
  }

  #refuseUnnamedReifier(offset: number): never {
    return this.refuse(`${this.rules.name} holds no blank nodes: a reifier needs a name here, such as ~ ?r`, offset);
  }

  *#annotations(subject: RDF.Term, verb: Verb, object: RDF.Term): Parsing<void> {
    if (isPath(verb)) this.refuse('a triple whose predicate is a path cannot be annotated');
    const triple = tripleTerm(subject, verb, object);
    const named = new Set<string>();
    /** The reifier of the next block. */
    let reifier: RDF.Term | undefined;
    for (;;) {
      const isReifier = this.lexer.token === '~';
      if (isReifier) reifier = this.#reifier();
      else if (this.lexer.token !== '{|') return;
      else if (reifier === undefined && this.rules.blankNodes === 'none') this.#refuseUnnamedReifier(this.lexer.start);
      const node: RDF.Term = reifier ?? this.newBlankNode();
      const key = `${node.termType} ${node.value}`;
      if (!named.has(key)) this.sink.add(node, REIFIES, triple);
      named.add(key);
      if (isReifier) continue;
      reifier = undefined;
      yield* this.#annotationBlock(node);
    }
  }

  *#annotationBlock(node: RDF.Term): Parsing<void> {
    if (this.isPauseDue) yield;
    this.advance();
    yield* this.#propertyList(node);
    this.expect('|}', "';', ',' or '|}'");
  }
}

export const tripleTerm = (subject: RDF.Term, predicate: RDF.Term, object: RDF.Term): RDF.Term =>
  termFactory.quad(subject as RDF.Quad_Subject, predicate as RDF.Quad_Predicate, object as RDF.Quad_Object);
