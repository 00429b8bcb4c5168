/** The terms that the patterns of an operation name. */
import type * as RDF from '@rdfjs/types';
import { expressionsIn, type Operation } from '../algebra/algebra.js';
import { inputsOf, type Task } from '../algebra/rewrite.js';

/** The first `most` of the terms of patterns, in steps. The predicates of paths, expressions and VALUES do not count. */
export function* patternTerms(operation: Operation, most: number): Task<RDF.Term[]> {
  const terms: RDF.Term[] = [];
  const open: Operation[] = [operation];
  for (let node = open.pop(); node !== undefined && terms.length < most; node = open.pop()) {
    yield;
    if (node.type === 'bgp')
      for (const { subject, predicate, object, graph } of node.patterns.slice(0, most))
        terms.push(...[subject, predicate, object, graph].filter(isConstant));
    if (node.type === 'path') terms.push(...[node.subject, node.object, node.graph].filter(isConstant));
    open.push(...inputsOf(node));
    for (const expression of expressionsIn(node)) if (expression.subType === 'existence') open.push(expression.input);
  }
  return terms.slice(0, most);
}

const isConstant = ({ termType }: RDF.Term): boolean => termType === 'NamedNode' || termType === 'Literal';
