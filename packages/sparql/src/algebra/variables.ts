/** Which variables an operation may bind, which it always binds, and which an expression looks at. */
import type * as RDF from '@rdfjs/types';
import { mapChildren, patternVariables, termVariables, type Expression, type Operation } from './algebra.js';

// Operations never change, so what is known of one is kept: rules and planners ask again at every level of a nested group.
const visibleOf = new WeakMap<Operation, ReadonlySet<string>>();
const certainOf = new WeakMap<Operation, ReadonlySet<string>>();
const mentionedIn = new WeakMap<Operation, ReadonlySet<string>>();
const lookedAtBy = new WeakMap<Expression, ReadonlySet<string>>();

function kept<K extends object>(
  known: WeakMap<K, ReadonlySet<string>>,
  node: K,
  find: () => ReadonlySet<string>,
): ReadonlySet<string> {
  let names = known.get(node);
  if (names === undefined) known.set(node, (names = find()));
  return names;
}

/** What filters stand around. Not recursive: there may be thousands of them. */
function withoutFilters(operation: Operation): Operation {
  let inner = operation;
  while (inner.type === 'filter') inner = inner.input;
  return inner;
}

/** The variables that a solution of this operation may have. */
export function visibleVariables(operation: Operation): ReadonlySet<string> {
  const inner = withoutFilters(operation);
  return kept(visibleOf, inner, () => findVisible(inner));
}

function findVisible(operation: Operation): ReadonlySet<string> {
  switch (operation.type) {
    case 'bgp':
      return new Set(patternVariables(operation.patterns));
    case 'path':
      return new Set([operation.subject, operation.object, operation.graph].flatMap(termVariables));
    case 'project':
    case 'values':
      return new Set(operation.variables.map(({ value }) => value));
    case 'group':
      return new Set([...operation.variables, ...operation.aggregates.map(({ variable }) => variable)].map(nameOf));
    case 'join':
    case 'union':
      return union(operation.input.map(visibleVariables));
    case 'leftjoin':
      return union(operation.input.map(visibleVariables));
    case 'minus':
      return visibleVariables(operation.input[0]);
    case 'seed':
      return new Set(operation.variables);
    case 'extend':
      return new Set([operation.variable.value, ...visibleVariables(operation.input)]);
    case 'graph':
    case 'service':
      return new Set([...termVariables(operation.name), ...visibleVariables(operation.input)]);
    case 'nop':
      return NONE;
    default:
      return visibleVariables(operation.input);
  }
}

/** The variables that every solution of an operation has. */
export function certainVariables(operation: Operation): ReadonlySet<string> {
  const inner = withoutFilters(operation);
  return kept(certainOf, inner, () => findCertain(inner));
}

function findCertain(operation: Operation): ReadonlySet<string> {
  switch (operation.type) {
    case 'bgp':
      return new Set(patternVariables(operation.patterns).filter((name) => !name.startsWith('_:')));
    case 'path':
      return new Set([operation.subject, operation.object, operation.graph].flatMap(termVariables));
    case 'join':
      return union(operation.input.map(certainVariables));
    case 'union':
      return intersection(operation.input.map(certainVariables));
    case 'leftjoin':
    case 'minus':
      return certainVariables(operation.input[0]);
    case 'graph':
      return union([certainVariables(operation.input), new Set(termVariables(operation.name))]);
    case 'values':
      return new Set(
        operation.variables.map(nameOf).filter((name) => operation.bindings.every((row) => row[name] !== undefined)),
      );
    case 'project':
      return intersection([certainVariables(operation.input), new Set(operation.variables.map(nameOf))]);
    case 'group': {
      const inner = certainVariables(operation.input);
      const counts = operation.aggregates.filter(({ aggregator }) => aggregator === 'count');
      return new Set([
        ...operation.variables.map(nameOf).filter((name) => inner.has(name)),
        ...counts.map(({ variable }) => variable.value),
      ]);
    }
    case 'seed':
      return operation.certain;
    case 'extend':
      return certainWithExtend(operation);
    case 'nop':
    case 'service':
      return NONE;
    default:
      return certainVariables(operation.input);
  }
}

// An expression may be an error, but a term is not.
function certainWithExtend({ input, variable, expression }: Operation & { type: 'extend' }): ReadonlySet<string> {
  const inner = certainVariables(input);
  return isCertainTerm(expression, inner) ? new Set([...inner, variable.value]) : inner;
}

/** Whether an expression has a value in every solution that binds these variables. */
export function isCertainTerm(expression: Expression, certain: ReadonlySet<string>): boolean {
  if (expression.subType !== 'term') return false;
  const { term } = expression;
  if (term.termType === 'Variable') return certain.has(term.value);
  return term.termType === 'NamedNode' || term.termType === 'Literal';
}

/** The variables that stand anywhere in an operation, also those that nothing outside of it sees. */
export function mentionedVariables(operation: Operation): ReadonlySet<string> {
  if (!('input' in operation)) return visibleVariables(operation);
  return kept(mentionedIn, operation, () => {
    const names = new Set(visibleVariables(operation));
    mapChildren<Operation>(operation, (child) => {
      const inside = child.type === 'expression' ? expressionVariables(child) : mentionedVariables(child);
      for (const name of inside) names.add(name);
      return child;
    });
    return names;
  });
}

/** The variables of an expression; of an EXISTS all those of its pattern. */
export function expressionVariables(expression: Expression): ReadonlySet<string> {
  return kept(lookedAtBy, expression, () => {
    const names = new Set<string>();
    const visit = (node: Operation | Expression): Operation | Expression => {
      if (node.type !== 'expression') return node;
      if (node.subType === 'term') termVariables(node.term).forEach((name) => names.add(name));
      // Values of the row are substituted everywhere in the pattern.
      else if (node.subType === 'existence') mentionedVariables(node.input).forEach((name) => names.add(name));
      else mapChildren(node, visit);
      return node;
    };
    visit(expression);
    return names;
  });
}

export function hasExistence(expression: Expression): boolean {
  if (expression.subType === 'existence') return true;
  if (expression.subType === 'operator' || expression.subType === 'named') return expression.args.some(hasExistence);
  return expression.subType === 'aggregate' && hasExistence(expression.expression);
}

const NONE: ReadonlySet<string> = new Set();
const nameOf = ({ value }: RDF.Variable): string => value;

export const union = (sets: readonly ReadonlySet<string>[]): Set<string> => new Set(sets.flatMap((set) => [...set]));

export function intersection([first, ...others]: readonly ReadonlySet<string>[]): Set<string> {
  return new Set([...(first ?? [])].filter((name) => others.every((set) => set.has(name))));
}

export const isSubset = (names: Iterable<string>, set: ReadonlySet<string>): boolean => {
  for (const name of names) if (!set.has(name)) return false;
  return true;
};
