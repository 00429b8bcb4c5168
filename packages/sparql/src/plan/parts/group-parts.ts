/** Takes a group apart: its patterns, its other operations, and its filters. */
import type * as RDF from '@rdfjs/types';
import type { Expression, Graph, Operation, Path, Pattern, PropertyPath, Service } from '../../algebra/algebra.js';
import { defaultGraph } from '@quadrille/model';
import { bindsGraph, isTransparentGraph } from '../../algebra/graph-transparency.js';
import { makePattern, makeVariable } from '../../algebra/terms.js';
import type { GroupFilter } from '../context.js';
import { isOtherRepository } from '../../algebra/repository-address.js';
import type { NamedGraphs } from '../graph-scope.js';
import type { PatternGraph } from '../plan.js';
import { isVolatile, type IsVolatileFunction } from '../../algebra/volatile.js';
import { certainVariables, expressionVariables, hasExistence, isSubset } from '../../algebra/variables.js';

const DEFAULT = defaultGraph();

type InGraph<T> = { readonly operation: T; readonly graph: PatternGraph };

/** A path whose length is not fixed: all that the algebra does not express. */
export interface PathPart {
  readonly subject: RDF.Term;
  readonly closure: Closure;
  readonly object: RDF.Term;
  readonly graph: PatternGraph;
}
export interface Closure {
  readonly type: 'OneOrMorePath' | 'ZeroOrMorePath' | 'ZeroOrOnePath';
  readonly path: PropertyPath;
}

export class GroupParts {
  readonly patterns: { readonly pattern: Pattern; readonly graph: PatternGraph }[] = [];
  readonly paths: PathPart[] = [];
  readonly services: InGraph<Service>[] = [];
  readonly others: InGraph<Operation>[] = [];
  readonly filters: GroupFilter[] = [];

  constructor(
    private readonly namedGraphs: NamedGraphs,
    private readonly newName: () => string,
    private readonly isFunction: IsVolatileFunction | undefined,
  ) {}

  /** Adds an operation that is joined with the others. */
  add(given: Operation, graph: PatternGraph, isTop = true): void {
    let operation = given;
    // Not recursive: there may be thousands of filters around one another.
    for (; operation.type === 'filter'; operation = operation.input) {
      if (!isTop && !this.#isLocal(operation.expression, operation.input)) break;
      this.filters.push({ expression: operation.expression, graph });
    }
    switch (operation.type) {
      case 'nop':
        return;
      case 'bgp':
        for (const pattern of operation.patterns) this.patterns.push({ pattern, graph });
        return;
      case 'join':
        for (const input of operation.input) this.add(input, graph, false);
        return;
      case 'path':
        this.#addPath(operation, graph);
        return;
      case 'service':
        if (isOtherRepository(operation)) break;
        this.services.push({ operation, graph });
        return;
      case 'graph':
        if (this.#addGraph(operation)) return;
        break;
      default:
        break;
    }
    this.others.push({ operation, graph });
  }

  // Whether a filter says the same over a join as over this one input of it.
  #isLocal(expression: Expression, input: Operation): boolean {
    if (hasExistence(expression) || isVolatile(expression, this.isFunction)) return false;
    return isSubset(expressionVariables(expression), certainVariables(input));
  }

  #addGraph({ name, input, bound }: Graph): boolean {
    if (name.termType !== 'Variable') {
      if (!bindsGraph(input)) return false;
      this.add(input, this.namedGraphs.of(name), false);
      return true;
    }
    if (bound !== true && !isTransparentGraph(input, name)) return false;
    this.add(input, { kind: 'each', name: name.value, among: this.namedGraphs.listed }, false);
    return true;
  }

  // SPARQL 1.2, section 18.2.2.4: what has a fixed length is patterns, joins and unions.
  #addPath({ subject, predicate, object }: Path, graph: PatternGraph): void {
    const add = (path: PropertyPath, from: RDF.Term, to: RDF.Term): void =>
      this.#addPath({ type: 'path', subject: from, predicate: path, object: to, graph: DEFAULT }, graph);
    switch (predicate.type) {
      case 'link':
        this.patterns.push({ pattern: makePattern(subject, predicate.iri, object, DEFAULT), graph });
        return;
      case 'inv':
        add(predicate.path, object, subject);
        return;
      case 'seq': {
        let from = subject;
        for (const [i, step] of predicate.input.entries()) {
          const to = i === predicate.input.length - 1 ? object : makeVariable(this.newName());
          add(step, from, to);
          from = to;
        }
        return;
      }
      case 'alt': {
        const branches = predicate.input.map((path): Path => ({
          type: 'path',
          subject,
          predicate: path,
          object,
          graph: DEFAULT,
        }));
        this.others.push({ operation: { type: 'union', input: branches }, graph });
        return;
      }
      case 'nps':
        this.#addNegated(predicate.iris, subject, object, graph);
        return;
      default:
        this.paths.push({ subject, closure: { type: predicate.type, path: predicate.path }, object, graph });
    }
  }

  #addNegated(iris: readonly RDF.NamedNode[], subject: RDF.Term, object: RDF.Term, graph: PatternGraph): void {
    const predicate = makeVariable(this.newName());
    this.patterns.push({ pattern: makePattern(subject, predicate, object, DEFAULT), graph });
    if (iris.length === 0) return;
    const args = [predicate, ...iris].map((term): Expression => ({ type: 'expression', subType: 'term', term }));
    this.filters.push({ expression: { type: 'expression', subType: 'operator', operator: 'notin', args }, graph });
  }
}
