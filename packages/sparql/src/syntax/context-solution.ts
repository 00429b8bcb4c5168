/**
 * MINUS takes away only where its sides share a variable. In EXISTS they share all that the solution binds for which it is asked, so
 * it matters whether that solution binds anything. This is said before values are put in the places of variables.
 */
import { expressionsIn, operandsOf, partsOf, type Expression, type Operation } from '../algebra/algebra.js';
import { recordOf } from '../algebra/operations/index.js';
import { inputsOf, mapExpressions, rewriteUp, type Task } from '../algebra/rewrite.js';
import { makeVariable } from '../algebra/terms.js';
import { certainVariables, hasExistence, visibleVariables } from '../algebra/variables.js';

/** The operation, in which each EXISTS with MINUS says whether it is asked for a solution that binds nothing. */
export const markContexts = (operation: Operation): Task<Operation> =>
  rewriteUp(operation, (node) => (expressionsIn(node).some(hasMinus) ? marked(node) : node));

/** Whether MINUS stands in the pattern of an EXISTS. */
function hasMinus(expression: Expression): boolean {
  if (!hasExistence(expression)) return false;
  const open: Operation[] = existencesIn(expression);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (recordOf(node).comparesVariables === true) return true;
    for (const input of inputsOf(node)) open.push(input);
    for (const inner of expressionsIn(node)) open.push(...existencesIn(inner));
  }
  return false;
}

function existencesIn(expression: Expression): Operation[] {
  const found: Operation[] = [];
  for (const part of partsOf(expression)) if (part.subType === 'existence') found.push(part.input);
  return found;
}

function* marked(node: Operation): Task<Operation> {
  const inputs = inputsOf(node);
  if (inputs.some((input) => certainVariables(input).size > 0)) return node;
  const names = inputs.flatMap((input) => [...visibleVariables(input)]);
  return (yield mapExpressions(node, (child) => inContext(child, names))) as Operation;
}

function* inContext(expression: Expression, names: readonly string[]): Task<Expression> {
  if (expression.subType !== 'existence') {
    if (!operandsOf(expression).some(hasMinus)) return expression;
    return (yield mapExpressions(expression, (child) => inContext(child, names))) as Expression;
  }
  const input = (yield markContexts(expression.input)) as Operation;
  const apart: Expression = { ...expression, input, apart: true };
  if (names.length === 0) return apart;
  const isBound = names.map((name) =>
    operator('bound', { type: 'expression', subType: 'term', term: makeVariable(name) }),
  );
  return operator(
    'if',
    isBound.reduce((some, one) => operator('||', some, one)),
    expression,
    apart,
  );
}

const operator = (name: string, ...args: Expression[]): Expression => ({
  type: 'expression',
  subType: 'operator',
  operator: name,
  args,
});
