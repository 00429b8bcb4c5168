/** Verbs of triples, and property paths. */
import type * as RDF from '@rdfjs/types';
import type { PropertyPath } from '../../algebra/algebra.js';
import { TermParser, TYPE } from './term-parser.js';
import type { Parsing } from './token-reader.js';

const REPEATS = { '*': 'ZeroOrMorePath', '+': 'OneOrMorePath', '?': 'ZeroOrOnePath' } as const;
const PREDICATE = 'a predicate';

/** A verb: a term, or a path that is more than an IRI. */
export type Verb = RDF.Term | PropertyPath;
export const isPath = (verb: Verb): verb is PropertyPath => 'type' in verb;

export abstract class PathParser extends TermParser {
  /** Whether the token begins a verb. */
  protected get isVerb(): boolean {
    const { token } = this.lexer;
    if (this.isIri || token === 'variable' || token === 'a') return true;
    return this.rules.paths && (token === '(' || token === '^' || token === '!');
  }

  protected *verb(): Parsing<Verb> {
    const { token } = this.lexer;
    if (token === 'variable') return this.variableOrIri();
    const first = token === 'a' || this.isIri ? this.predicate() : undefined;
    if (!this.rules.paths) return first ?? this.fail(PREDICATE);
    if (first !== undefined && !this.#isPathOperator) return first;
    const path = yield* this.#alternative(first && link(first));
    return path.type === 'link' ? path.iri : path;
  }

  /** A verb that is a variable or an IRI. */
  protected simpleVerb(): RDF.Term {
    return this.lexer.token === 'variable' ? this.variableOrIri() : this.predicate();
  }

  protected predicate(): RDF.NamedNode {
    return this.take('a') ? TYPE : this.iri(PREDICATE);
  }

  get #isPathOperator(): boolean {
    const { token } = this.lexer;
    return token === '/' || token === '|' || token === '*' || token === '+' || token === '?';
  }

  /** A path, of which the first element may have been read already. */
  *#alternative(first: PropertyPath | undefined): Parsing<PropertyPath> {
    let sequence = yield* this.#sequence(first);
    if (this.lexer.token !== '|') return sequence;
    const input: PropertyPath[] = [];
    for (;;) {
      addPart('alt', sequence, input);
      if (!this.take('|')) return { type: 'alt', input };
      if (this.isPauseDue) yield;
      sequence = yield* this.#sequence(undefined);
    }
  }

  *#sequence(first: PropertyPath | undefined): Parsing<PropertyPath> {
    let element = yield* this.#element(first);
    if (this.lexer.token !== '/') return element;
    const input: PropertyPath[] = [];
    for (;;) {
      addPart('seq', element, input);
      if (!this.take('/')) return { type: 'seq', input };
      if (this.isPauseDue) yield;
      element = yield* this.#element(undefined);
    }
  }

  *#element(first: PropertyPath | undefined): Parsing<PropertyPath> {
    const isInverse = first === undefined && this.take('^');
    let path = first ?? this.#simplePrimary();
    if (path === undefined) {
      this.expect('(', PREDICATE);
      path = yield* this.#alternative(undefined);
      this.expect(')', "')' or more of the path");
    }
    const { token } = this.lexer;
    if (token === '*' || token === '+' || token === '?') {
      this.advance();
      path = { type: REPEATS[token], path };
    }
    return isInverse ? { type: 'inv', path } : path;
  }

  #simplePrimary(): PropertyPath | undefined {
    if (this.lexer.token === '(') return undefined;
    return this.take('!') ? this.#negatedSet() : link(this.predicate());
  }

  #negatedSet(): PropertyPath {
    const iris: RDF.NamedNode[] = [];
    const inverse: RDF.NamedNode[] = [];
    const one = (): void => void (this.take('^') ? inverse : iris).push(this.predicate());
    if (this.take('(')) {
      do one();
      while (this.take('|'));
      this.expect(')', "'|' or ')'");
    } else one();
    const inverted: PropertyPath = { type: 'inv', path: { type: 'nps', iris: inverse } };
    if (inverse.length === 0) return { type: 'nps', iris };
    return iris.length === 0 ? inverted : { type: 'alt', input: [{ type: 'nps', iris }, inverted] };
  }
}

const link = (iri: RDF.NamedNode): PropertyPath => ({ type: 'link', iri });

/** A path of the same type within another is a part of it. */
function addPart(type: 'alt' | 'seq', path: PropertyPath, input: PropertyPath[]): void {
  if (path.type !== type) input.push(path);
  else for (const part of path.input) input.push(part);
}
