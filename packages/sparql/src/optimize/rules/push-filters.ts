/**
 * Moves each conjunct of a filter as deep as possible: below OPTIONAL, UNION, MINUS, BIND, sub-selects and GRAPH, as long as its
 * variables are always bound there. A comparison of a variable with an IRI becomes VALUES.
 */
import type * as RDF from '@rdfjs/types';
import { mapChildren, type Expression, type Operation, type Values } from '../../algebra/algebra.js';
import { isPlaceholder } from '../../algebra/template.js';
import { makeVariable } from '../../algebra/terms.js';
import { certainVariables, expressionVariables, hasExistence, isSubset } from '../../algebra/variables.js';

/** Leaves the patterns of EXISTS alone: the values of the row have to be substituted there first. */
export function pushFilters(operation: Operation): Operation {
  const node = mapChildren(operation, (child) => (child.type === 'expression' ? child : pushFilters(child)));
  if (node.type !== 'filter') return node;
  return conjuncts(node.expression).reduce((input: Operation, expression) => push(expression, input), node.input);
}

/** `a && b` as two filters: both have to be true. */
export function conjuncts(expression: Expression): Expression[] {
  if (expression.subType === 'operator' && expression.operator === '&&') return expression.args.flatMap(conjuncts);
  return [expression];
}

function push(expression: Expression, operation: Operation): Operation {
  if (hasExistence(expression)) return { type: 'filter', input: operation, expression };
  const names = expressionVariables(expression);
  switch (operation.type) {
    case 'leftjoin':
    case 'minus': {
      const [left, right] = operation.input;
      if (!isSubset(names, certainVariables(left))) break;
      return { ...operation, input: [push(expression, left), right] };
    }
    case 'union':
      return { ...operation, input: operation.input.map((branch) => push(expression, branch)) };
    case 'extend':
      if (names.has(operation.variable.value)) break;
      return { ...operation, input: push(expression, operation.input) };
    case 'graph':
      if (operation.name.termType === 'Variable' && names.has(operation.name.value)) break;
      return { ...operation, input: push(expression, operation.input) };
    case 'distinct':
    case 'reduced':
    case 'orderby':
      return { ...operation, input: push(expression, operation.input) };
    case 'project':
    case 'group':
      if (!isSubset(names, new Set(operation.variables.map(({ value }) => value)))) break;
      // Without keys a group gives a row even if its input has none.
      if (operation.type === 'group' && operation.variables.length === 0) break;
      return { ...operation, input: push(expression, operation.input) };
    case 'filter':
      return { ...operation, input: push(expression, operation.input) };
    default: {
      const values = valueOf(expression);
      if (values === undefined || !isSubset(names, certainVariables(operation))) break;
      return { type: 'join', input: [values, operation] };
    }
  }
  return { type: 'filter', input: operation, expression };
}

/** `?x = <iri>`, `sameTerm(?x, <iri>)` and `?x IN (<a>, <b>)` as VALUES: IRIs equal nothing but themselves. */
function valueOf(expression: Expression): Values | undefined {
  if (expression.subType !== 'operator') return undefined;
  const { operator, args } = expression;
  if (operator !== '=' && operator !== 'sameterm' && operator !== 'in') return undefined;
  const terms = args.map((argument) => (argument.subType === 'term' ? argument.term : undefined));
  const variable = terms.find((term) => term?.termType === 'Variable');
  const others = terms.filter((term) => term !== variable);
  if (variable === undefined || others.length === 0 || (operator === 'in' && terms[0] !== variable)) return undefined;
  if (!others.every((term): term is RDF.NamedNode => term?.termType === 'NamedNode' && !isPlaceholder(term.value))) {
    return undefined;
  }
  const distinct = [...new Map(others.map((term) => [term.value, term])).values()];
  const { value: name } = variable;
  return { type: 'values', variables: [makeVariable(name)], bindings: distinct.map((term) => ({ [name]: term })) };
}
