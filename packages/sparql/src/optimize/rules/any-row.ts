/**
 * EXISTS asks for a row, whichever: DISTINCT, REDUCED, ORDER BY and LIMIT of a sub-select in it say nothing. Without them the values of
 * the row around it can stand in the sub-select.
 */
import type { Operation } from '../../algebra/algebra.js';
import { unordered } from './drop-order.js';

/** An operation that has a row exactly if the given one has, whatever values are substituted in both. */
export function anyRowOf(operation: Operation): Operation {
  let node = operation;
  while (node.type === 'distinct' || node.type === 'reduced' || (node.type === 'slice' && keepsARow(node))) {
    node = node.input;
  }
  return unordered(node);
}

const keepsARow = ({ start, length }: Operation & { type: 'slice' }): boolean =>
  start === 0 && (length === undefined || length > 0);
