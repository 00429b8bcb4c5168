/**
 * OPTIONAL becomes a join where a filter around it drops every row without a match: the filter needs a variable that only the OPTIONAL
 * binds. A join can begin with either side.
 */
import type { Filter, Operation } from '../../algebra/algebra.js';
import { rewriteUp, type Task } from '../../algebra/rewrite.js';
import { visibleVariables } from '../../algebra/variables.js';
import { neededFor } from './needed-variables.js';
import { conjuncts } from './push-filters.js';

/** What was made of an operation, so that operations that are planned again stay the same objects. */
const joined = new WeakMap<Operation, Operation>();

export const optionalToJoin = (operation: Operation): Task<Operation> =>
  rewriteUp(operation, (node) => (node.type === 'filter' ? demandOf(node) : node), { known: joined });

function* demandOf(node: Filter): Task<Operation> {
  const names = new Set<string>();
  for (const part of yield* conjuncts(node.expression)) {
    for (const name of neededFor(part)) names.add(name);
    yield;
  }
  const input = names.size === 0 ? node.input : ((yield demand(node.input, names)) as Operation);
  return input === node.input ? node : { ...node, input };
}

/** An operation of which only rows count that have all these variables. */
function* demand(operation: Operation, names: ReadonlySet<string>): Task<Operation> {
  switch (operation.type) {
    case 'filter': {
      const input = (yield demand(operation.input, names)) as Operation;
      return input === operation.input ? operation : { ...operation, input };
    }
    case 'extend': {
      const others = [...names].filter((name) => name !== operation.variable.value);
      const input = (yield demand(operation.input, new Set(others))) as Operation;
      return input === operation.input ? operation : { ...operation, input };
    }
    case 'join': {
      const inputs = yield* demandOfEach(operation.input, names);
      return inputs === operation.input ? operation : { type: 'join', input: inputs };
    }
    case 'leftjoin': {
      const [left, right] = operation.input;
      const onlyRight = difference(visibleVariables(right), visibleVariables(left));
      const onlyLeft = difference(names, visibleVariables(right));
      const input = (yield demand(left, onlyLeft)) as Operation;
      if (![...names].some((name) => onlyRight.has(name))) {
        return input === left ? operation : { ...operation, input: [input, right] };
      }
      const both: Operation = { type: 'join', input: [input, right] };
      const { expression } = operation;
      return expression === undefined ? both : { type: 'filter', input: both, expression };
    }
    default:
      return operation;
  }
}

// A variable that two inputs may bind can come from either.
function* demandOfEach(given: readonly Operation[], names: ReadonlySet<string>): Task<readonly Operation[]> {
  const times = new Map<string, number>();
  for (const input of given)
    for (const name of visibleVariables(input)) if (names.has(name)) times.set(name, (times.get(name) ?? 0) + 1);
  const inputs: Operation[] = [];
  for (const input of given) {
    const own = [...visibleVariables(input)].filter((name) => times.get(name) === 1);
    inputs.push(own.length === 0 ? input : ((yield demand(input, new Set(own))) as Operation));
  }
  return inputs.every((input, i) => input === given[i]) ? given : inputs;
}

const difference = (names: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> =>
  new Set([...names].filter((name) => !others.has(name)));
