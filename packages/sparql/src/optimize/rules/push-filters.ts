/**
 * Moves each conjunct of a filter as deep as possible: below OPTIONAL, UNION, MINUS, BIND, sub-selects and GRAPH, as long as its
 * variables are always bound there. A comparison of a variable with an IRI becomes VALUES.
 */
import type * as RDF from '@rdfjs/types';
import { mapOperations, type Expression, type Operation, type Values } from '../../algebra/algebra.js';
import { isPlaceholder } from '../../algebra/template.js';
import { makeVariable } from '../../algebra/terms.js';
import { certainVariables, expressionVariables, hasExistence, isSubset } from '../../algebra/variables.js';

/** A condition, and the variables that it looks at. */
interface Conjunct {
  readonly expression: Expression;
  readonly names: ReadonlySet<string>;
}

/**
 * What was made of an operation, and of that itself. Operations that are planned again with a seed around them stay the same objects,
 * so that their plans are found again.
 */
const pushed = new WeakMap<Operation, Operation>();

/** Leaves the patterns of EXISTS alone: the values of the row have to be substituted there first. */
export function pushFilters(operation: Operation): Operation {
  const known = pushed.get(operation);
  if (known !== undefined) return known;
  const result = pushHere(mapOperations(operation, pushFilters));
  pushed.set(operation, result);
  pushed.set(result, result);
  return result;
}

function pushHere(node: Operation): Operation {
  if (node.type !== 'filter') return node;
  const parts = conjuncts(node.expression);
  const movable = parts.filter((expression) => !hasExistence(expression));
  const inner = push(
    movable.map((expression) => ({ expression, names: expressionVariables(expression) })),
    node.input,
  );
  return filtered(inner, parts.filter(hasExistence));
}

/** `a && b` as two filters: both have to be true. Not recursive, since a chain may be long. */
export function conjuncts(expression: Expression): Expression[] {
  const found: Expression[] = [];
  const open = [expression];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.subType === 'operator' && next.operator === '&&') open.push(...next.args.toReversed());
    else found.push(next);
  }
  return found;
}

/** Filters around an operation, the last one outermost. */
const filtered = (operation: Operation, conditions: readonly Expression[]): Operation =>
  conditions.reduce((input: Operation, expression) => ({ type: 'filter', input, expression }), operation);

/** Pushes conditions into an operation, all in one walk. The first of those that stay is the outermost filter. */
function push(parts: readonly Conjunct[], operation: Operation): Operation {
  if (parts.length === 0) return operation;
  const passes = passageInto(operation);
  const below = parts.filter(({ names }) => passes?.(names) === true);
  const here = parts.filter(({ names }) => passes?.(names) !== true);
  if (passes !== undefined) return filtered(pushBelow(below, operation), expressionsOf(here).toReversed());
  const certain = certainVariables(operation);
  let result = operation;
  const conditions: Expression[] = [];
  for (const { expression, names } of here) {
    const values = isSubset(names, certain) ? valueOf(expression) : undefined;
    if (values === undefined) conditions.push(expression);
    else result = { type: 'join', input: [values, result] };
  }
  return filtered(result, conditions.toReversed());
}

const expressionsOf = (parts: readonly Conjunct[]): Expression[] => parts.map(({ expression }) => expression);

/** Which conditions mean the same below an operation, by their variables; undefined where there is nothing below. */
function passageInto(operation: Operation): ((names: ReadonlySet<string>) => boolean) | undefined {
  switch (operation.type) {
    case 'leftjoin':
    case 'minus': {
      const certain = certainVariables(operation.input[0]);
      return (names) => isSubset(names, certain);
    }
    case 'extend':
      return (names) => !names.has(operation.variable.value);
    case 'graph':
      if (operation.bound === true) return undefined;
      return (names) => operation.name.termType !== 'Variable' || !names.has(operation.name.value);
    case 'union':
    case 'distinct':
    case 'reduced':
    case 'orderby':
    case 'filter':
      return () => true;
    case 'project':
    case 'group': {
      const columns = new Set(operation.variables.map(({ value }) => value));
      // Without keys a group gives a row even if its input has none.
      return (names) => isSubset(names, columns) && (operation.type === 'project' || columns.size > 0);
    }
    default:
      return undefined;
  }
}

function pushBelow(parts: readonly Conjunct[], operation: Operation): Operation {
  switch (operation.type) {
    case 'leftjoin':
    case 'minus': {
      const [left, right] = operation.input;
      return { ...operation, input: [push(parts, left), right] };
    }
    case 'union':
      return { ...operation, input: operation.input.map((branch) => push(parts, branch)) };
    case 'extend':
    case 'graph':
    case 'distinct':
    case 'reduced':
    case 'orderby':
    case 'filter':
    case 'project':
    case 'group':
      return { ...operation, input: push(parts, operation.input) };
    default:
      return operation;
  }
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
