/**
 * BIND of a term or of another variable, in a join. A term is a row of VALUES. A second name of a variable is that variable in the patterns
 * beside it, and is bound at the end.
 */
import type * as RDF from '@rdfjs/types';
import { mapOperations, type Extend, type Operation } from '../../algebra/algebra.js';
import { renameVariables } from '../../algebra/rename-variables.js';
import { certainVariables, visibleVariables } from '../../algebra/variables.js';

export function inlineBinds(operation: Operation): Operation {
  // Another host gets its pattern as it stands.
  if (operation.type === 'service') return operation;
  const node = mapOperations(operation, inlineBinds);
  return node.type === 'join' && node.input.some(isTerm) ? inlineInJoin(node.input) : node;
}

const isTerm = (operation: Operation): operation is Extend =>
  operation.type === 'extend' && operation.expression.subType === 'term';

function inlineInJoin(given: readonly Operation[]): Operation {
  let inputs = given.flatMap((input) => (input.type === 'join' ? input.input : [input]));
  const names: Extend[] = [];
  for (let at = 0; at < inputs.length; at++) {
    const input = inputs[at]!;
    if (!isTerm(input)) continue;
    const others = inputs.filter((other) => other !== input);
    const constant = isConstant(termOf(input));
    const inlined = constant ? [valuesOf(input), ...others] : renamed(input, others);
    if (inlined === undefined) continue;
    if (!constant) names.unshift(input);
    inputs = [...inlined, ...(input.input.type === 'join' ? input.input.input : [input.input])];
    at = -1;
  }
  const parts = inputs.filter((input) => !isEmpty(input));
  const joined: Operation = parts.length === 1 ? parts[0]! : { type: 'join', input: parts };
  // The innermost is the one that the others may repeat.
  return names.reduce(
    (input: Operation, { variable, expression }) => ({ type: 'extend', input, variable, expression }),
    joined,
  );
}

const isEmpty = (operation: Operation): boolean =>
  operation.type === 'nop' || (operation.type === 'bgp' && operation.patterns.length === 0);

const isConstant = ({ termType }: RDF.Term): boolean => termType === 'NamedNode' || termType === 'Literal';

const termOf = ({ expression }: Extend): RDF.Term =>
  (expression as Extend['expression'] & { readonly subType: 'term' }).term;

const valuesOf = (extend: Extend): Operation => ({
  type: 'values',
  variables: [extend.variable],
  bindings: [{ [extend.variable.value]: termOf(extend) }],
});

// Only in patterns: what an OPTIONAL or an expression makes of the second name is left as it is.
function renamed(extend: Extend, others: readonly Operation[]): Operation[] | undefined {
  const { input, variable } = extend;
  const term = termOf(extend);
  if (term.termType !== 'Variable' || !certainVariables(input).has(term.value)) return undefined;
  const names = new Map([[variable.value, term.value]]);
  const result: Operation[] = [];
  for (const other of others) {
    const isPattern = other.type === 'bgp' || other.type === 'path';
    if (!visibleVariables(other).has(variable.value)) result.push(other);
    else if (isPattern) result.push(renameVariables(other, names)!);
    else return undefined;
  }
  return result;
}
