/**
 * ORDER BY of a sub-select says nothing where its rows go into a join, a union or a count: it is left out there, and so the sub-select
 * takes part in the order of the joins. What LIMIT or OFFSET chooses from keeps its order.
 */
import type { AggregateExpression, Operation } from '../../algebra/algebra.js';
import { recordOf } from '../../algebra/operations/index.js';
import { mapInputs, rewriteUp, type Task } from '../../algebra/rewrite.js';

/** What was made of an operation, so that operations that are planned again stay the same objects. */
const known = new WeakMap<Operation, Operation>();

export const dropOrder = (operation: Operation): Task<Operation> => rewriteUp(operation, withoutOrders, { known });

function withoutOrders(node: Operation): Operation {
  const { from } = recordOf(node);
  // The rows of the first input come out of OPTIONAL and MINUS one by one, and many rely on their order.
  const keepsFirst = node.type === 'group' ? node.aggregates.some(seesOrder) : from === 'first' || from === 'none';
  return mapInputs(node, (input, at) => (at === 0 && keepsFirst ? input : unordered(input)));
}

/** Whether the answer of an aggregate depends on which row comes first. An aggregate of an embedder may. */
const seesOrder = ({ aggregator }: AggregateExpression): boolean =>
  aggregator === 'group_concat' || aggregator === 'sample' || aggregator === 'custom';

/** The same rows without an order of their own. Not recursive: thousands of BINDs may stand around one another. */
export function unordered(operation: Operation): Operation {
  const around: (Operation & { input: Operation })[] = [];
  let length = 0;
  let below = operation;
  let made: Operation | undefined;
  for (; ; below = below.input) {
    if (below.type === 'orderby') {
      made = below.input;
      length = around.length;
    } else if (handsOn(below)) around.push(below);
    else break;
  }
  if (made === undefined) return operation;
  // Below the lowest ORDER BY nothing changes.
  for (let at = length - 1; at >= 0; at--) made = { ...around[at]!, input: made } as Operation;
  return made;
}

type Unary = Extract<Operation, { type: 'project' | 'distinct' | 'reduced' | 'extend' | 'filter' }>;

const handsOn = (operation: Operation): operation is Unary =>
  ['project', 'distinct', 'reduced', 'extend', 'filter'].includes(operation.type);
