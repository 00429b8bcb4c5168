/** Takes a group apart: its patterns, its other operations, and its filters. */
import type * as RDF from '@rdfjs/types';
import type { Expression, Operation, Path, Pattern, PropertyPath, Service } from '../../algebra/algebra.js';
import { makePattern, makeVariable } from '../../algebra/terms.js';
import { isOtherRepository } from '../../algebra/repository-address.js';
import { isVolatile, type IsVolatileFunction } from '../../algebra/volatile.js';
import { isSubset } from '../../algebra/name-sets.js';
import { certainVariables, expressionVariables, hasExistence } from '../../algebra/variables.js';

/** A path whose length is not fixed: all that the algebra does not express. */
export interface PathPart {
  readonly subject: RDF.Term;
  readonly closure: Closure;
  readonly object: RDF.Term;
  readonly graph: RDF.Term;
}
export interface Closure {
  readonly type: 'OneOrMorePath' | 'ZeroOrMorePath' | 'ZeroOrOnePath';
  readonly path: PropertyPath;
}

export class GroupParts {
  readonly patterns: Pattern[] = [];
  readonly paths: PathPart[] = [];
  readonly services: Service[] = [];
  readonly others: Operation[] = [];
  readonly filters: Expression[] = [];

  constructor(
    private readonly newName: () => string,
    private readonly isFunction: IsVolatileFunction | undefined,
  ) {}

  /** Adds an operation that is joined with the others. */
  add(given: Operation, isTop = true): void {
    let operation = given;
    // Not recursive: there may be thousands of filters around one another.
    for (; operation.type === 'filter'; operation = operation.input) {
      if (!isTop && !this.#isLocal(operation.expression, operation.input)) break;
      this.filters.push(operation.expression);
    }
    switch (operation.type) {
      case 'nop':
        return;
      case 'bgp':
        this.patterns.push(...operation.patterns);
        return;
      case 'join':
        for (const input of operation.input) this.add(input, false);
        return;
      case 'path':
        this.#addPath(operation);
        return;
      case 'service':
        if (isOtherRepository(operation)) break;
        this.services.push(operation);
        return;
      default:
        break;
    }
    this.others.push(operation);
  }

  // Whether a filter says the same over a join as over this one input of it.
  #isLocal(expression: Expression, input: Operation): boolean {
    if (hasExistence(expression) || isVolatile(expression, this.isFunction)) return false;
    return isSubset(expressionVariables(expression), certainVariables(input));
  }

  // SPARQL 1.2, section 18.2.2.4: what has a fixed length is patterns, joins and unions.
  #addPath({ subject, predicate, object, graph }: Path): void {
    const add = (path: PropertyPath, from: RDF.Term, to: RDF.Term): void =>
      this.#addPath({ type: 'path', subject: from, predicate: path, object: to, graph });
    switch (predicate.type) {
      case 'link':
        this.patterns.push(makePattern(subject, predicate.iri, object, graph));
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
          graph,
        }));
        this.others.push({ type: 'union', input: branches });
        return;
      }
      case 'nps':
        this.#addNegated(predicate.iris, subject, object, graph);
        return;
      default:
        this.paths.push({ subject, closure: { type: predicate.type, path: predicate.path }, object, graph });
    }
  }

  #addNegated(iris: readonly RDF.NamedNode[], subject: RDF.Term, object: RDF.Term, graph: RDF.Term): void {
    const predicate = makeVariable(this.newName());
    this.patterns.push(makePattern(subject, predicate, object, graph));
    if (iris.length === 0) return;
    const args = [predicate, ...iris].map((term): Expression => ({ type: 'expression', subType: 'term', term }));
    this.filters.push({ type: 'expression', subType: 'operator', operator: 'notin', args });
  }
}
