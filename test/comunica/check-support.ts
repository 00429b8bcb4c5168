/** Refuses, before anything is evaluated, requests that this engine does not support. */
import { FetchError, printTerm } from '@quadrille/model';
import { mapChildren, type Expression, type Operation } from '../../packages/sparql/src/algebra/algebra.js';

/**
 * The operation without its silent SERVICE calls, which count as failed and so join with the empty solution.
 * @throws FetchError `BLOCKED_ADDRESS` for one that is not silent
 */
export function withoutServices(operation: Operation): Operation {
  const visit = (node: Operation | Expression): Operation | Expression => {
    if (node.type !== 'service') return mapChildren(node, visit);
    if (node.silent) return { type: 'bgp', patterns: [] };
    throw new FetchError('BLOCKED_ADDRESS', `SERVICE is not allowed here: ${printTerm(node.name)}`);
  };
  return visit(operation) as Operation;
}
