/**
 * ORDER BY of a sub-select says nothing where its rows go into a join, a union or a count: it is left out there, and so the sub-select
 * takes part in the order of the joins. What LIMIT or OFFSET chooses from keeps its order.
 */
import { isTwoSided, type AggregateExpression, type Operation } from '../../algebra/algebra.js';
import { rewriteUp, type Task } from '../../algebra/rewrite.js';

/** What was made of an operation, so that operations that are planned again stay the same objects. */
const known = new WeakMap<Operation, Operation>();

export const dropOrder = (operation: Operation): Task<Operation> => rewriteUp(operation, withoutOrders, { known });

/** Around these, and with an order in it, an operation may lose the order. */
export const mayDropOrder = (types: ReadonlySet<string>): boolean =>
  types.has('orderby') && ['join', 'union', 'leftjoin', 'minus', 'group'].some((type) => types.has(type));

function withoutOrders(node: Operation): Operation {
  if (isTwoSided(node)) {
    // The rows of the left side come out of it one by one, and many rely on their order.
    const [left, right] = node.input;
    const made = unordered(right);
    return made === right ? node : ({ ...node, input: [left, made] } as Operation);
  }
  switch (node.type) {
    case 'join':
    case 'union': {
      const input = node.input.map(unordered);
      return input.every((made, at) => made === node.input[at]) ? node : { ...node, input };
    }
    case 'group': {
      const input = node.aggregates.some(seesOrder) ? node.input : unordered(node.input);
      return input === node.input ? node : { ...node, input };
    }
    default:
      return node;
  }
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
