/** Where the triples of a request go to: a basic graph pattern, or a template. */
import type * as RDF from '@rdfjs/types';
import { defaultGraph } from '@quadrille/model';
import type { Operation, Pattern, PropertyPath } from '../../algebra/algebra.js';
import { makePattern } from '../../algebra/terms.js';
import type { Names } from './names.js';
import { isSearch, takeSearches } from './text-searches.js';

export interface TripleSink {
  add(subject: RDF.Term, predicate: RDF.Term, object: RDF.Term): void;
  addPath(subject: RDF.Term, path: PropertyPath, object: RDF.Term): void;
}

/** Triples of a template, or data. */
export class Template implements TripleSink {
  readonly patterns: Pattern[] = [];

  constructor(public graph: RDF.Term = defaultGraph()) {}

  add(subject: RDF.Term, predicate: RDF.Term, object: RDF.Term): void {
    this.patterns.push(makePattern(subject, predicate, object, this.graph));
  }

  addPath(): never {
    throw new Error('a template has no paths');
  }
}

const DEFAULT_GRAPH = defaultGraph();

/** Triples that stand together in a group: patterns, with paths between them. */
export class TriplesBlock implements TripleSink {
  readonly parts: Operation[] = [];
  #patterns: Pattern[] = [];

  constructor(
    private readonly names: Names,
    private readonly refuse: (message: string) => never,
  ) {}

  add(subject: RDF.Term, predicate: RDF.Term, object: RDF.Term): void {
    this.#patterns.push(makePattern(subject, predicate, object, DEFAULT_GRAPH));
  }

  /** Paths that are a number of triples become those (SPARQL 1.2, section 18.2.2.4). */
  addPath(subject: RDF.Term, path: PropertyPath, object: RDF.Term): void {
    switch (path.type) {
      case 'link':
        return this.add(subject, path.iri, object);
      case 'inv':
        return this.addPath(object, path.path, subject);
      case 'seq': {
        let from = subject;
        for (const [index, part] of path.input.entries()) {
          const to = index === path.input.length - 1 ? object : this.names.fresh();
          this.addPath(from, part, to);
          from = to;
        }
        return undefined;
      }
      default:
        this.#endPatterns();
        this.parts.push({ type: 'path', subject, predicate: path, object, graph: DEFAULT_GRAPH });
    }
  }

  /** The parts, after the last triple. */
  end(): readonly Operation[] {
    this.#endPatterns();
    return this.parts;
  }

  #endPatterns(): void {
    const patterns = this.#patterns;
    if (patterns.some(isSearch))
      this.parts.push(...takeSearches(patterns, { fresh: () => this.names.fresh(), refuse: this.refuse }));
    else if (patterns.length > 0) this.parts.push({ type: 'bgp', patterns });
    this.#patterns = [];
  }
}
