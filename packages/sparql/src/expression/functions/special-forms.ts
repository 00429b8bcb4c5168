/** The forms whose arguments may be errors or unbound, or are not evaluated at all (SPARQL 1.2, section 17.4.1). */
import type { Expression } from '../../algebra/algebra.js';
import { equals } from '../values/compare.js';
import { effectiveBoolean, toBooleanValue } from '../values/ebv.js';
import {
  constantNode,
  ERROR_NODE,
  foldNode,
  variableNode,
  type Compilation,
  type ExpressionNode,
} from '../expression-node.js';
import { ERROR, FALSE, toBoolean, TRUE, type ErrorValue, type Value } from '../values/value.js';

type Form = (args: readonly Expression[], compilation: Compilation) => ExpressionNode;

const pair = (nodes: readonly ExpressionNode[]): [ExpressionNode, ExpressionNode] => [
  nodes[0] ?? ERROR_NODE,
  nodes[1] ?? ERROR_NODE,
];

/** `&&` and `||`: an error counts only where the other side does not decide. */
const connective =
  (decisive: boolean): Form =>
  (args, { compile }) => {
    const nodes = args.map(compile);
    const [{ evaluate: left }, { evaluate: right }] = pair(nodes);
    const decided = toBoolean(decisive);
    return foldNode(nodes, (row) => {
      const a = toBooleanValue(left(row));
      if (a.kind === 'boolean' && a.value === decisive) return decided;
      const b = toBooleanValue(right(row));
      if (b.kind === 'boolean' && b.value === decisive) return decided;
      return a === ERROR || b === ERROR ? ERROR : toBoolean(!decisive);
    });
  };

const not: Form = (args, { compile }) => {
  const nodes = args.map(compile);
  const [{ evaluate }] = pair(nodes);
  return foldNode(nodes, (row) => {
    const value = toBooleanValue(evaluate(row));
    return value === ERROR ? ERROR : value === TRUE || (value as { value: boolean }).value ? FALSE : TRUE;
  });
};

const ifForm: Form = (args, { compile }) => {
  const nodes = args.map(compile);
  const [condition, then, otherwise] = [nodes[0] ?? ERROR_NODE, nodes[1] ?? ERROR_NODE, nodes[2] ?? ERROR_NODE];
  if (condition.constant !== undefined) {
    const decided = effectiveBoolean(condition.constant);
    return decided === undefined ? ERROR_NODE : decided ? then : otherwise;
  }
  return variableNode((row) => {
    const decided = effectiveBoolean(condition.evaluate(row));
    return decided === undefined ? ERROR : decided ? then.evaluate(row) : otherwise.evaluate(row);
  });
};

const coalesce: Form = (args, { compile }) => {
  const nodes = args.map(compile);
  return foldNode(nodes, (row) => {
    for (const { evaluate } of nodes) {
      const value = evaluate(row);
      if (value !== ERROR) return value;
    }
    return ERROR;
  });
};

function isMember(value: Value, members: Iterable<Value>): boolean | ErrorValue {
  let result: boolean | ErrorValue = false;
  for (const member of members) {
    const same = equals(value, member);
    if (same === true) return true;
    if (same === ERROR) result = ERROR;
  }
  return result;
}

/** IN is a disjunction of `=`, NOT IN its negation. */
const membership =
  (negated: boolean): Form =>
  (args, { compile }) => {
    const nodes = args.map(compile);
    const [{ evaluate: tested }, ...members] = [nodes[0] ?? ERROR_NODE, ...nodes.slice(1)];
    const constants = members.map(({ constant }) => constant).filter((value) => value !== undefined);
    const allConstant = constants.length === members.length;
    return foldNode(nodes, (row) => {
      const values = allConstant ? constants : members.map(({ evaluate }) => evaluate(row));
      const result = isMember(tested(row), values);
      return result === ERROR ? ERROR : toBoolean(result !== negated);
    });
  };

const bound: Form = ([argument], { context, slots }) => {
  if (argument?.subType !== 'term') return constantNode(TRUE);
  const term = context.resolve?.(argument.term) ?? argument.term;
  if (term.termType !== 'Variable') return constantNode(TRUE);
  const slot = context.slotOf(term.value);
  if (slot === undefined) return constantNode(FALSE);
  slots.add(slot);
  return variableNode((row) => {
    const value = row.value(slot);
    return value === undefined || value === ERROR ? FALSE : TRUE;
  });
};

export const specialForms: ReadonlyMap<string, Form> = new Map([
  ['&&', connective(false)],
  ['||', connective(true)],
  ['!', not],
  ['if', ifForm],
  ['coalesce', coalesce],
  ['in', membership(false)],
  ['notin', membership(true)],
  ['bound', bound],
]);
