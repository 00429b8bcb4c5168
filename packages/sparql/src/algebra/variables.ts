/** Which variables an operation always binds, and which an expression looks at. */
import { mapChildren, patternVariables, termVariables, type Expression, type Operation } from './algebra.js';
import { visibleVariables } from './substitute-variables.js';

/** The variables that every solution of an operation has. */
export function certainVariables(operation: Operation): Set<string> {
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
        operation.variables
          .map(({ value }) => value)
          .filter((name) => operation.bindings.every((row) => row[name] !== undefined)),
      );
    case 'project':
      return intersection([certainVariables(operation.input), new Set(operation.variables.map(({ value }) => value))]);
    case 'group': {
      const inner = certainVariables(operation.input);
      const counts = operation.aggregates.filter(({ aggregator }) => aggregator === 'count');
      return new Set([
        ...operation.variables.map(({ value }) => value).filter((name) => inner.has(name)),
        ...counts.map(({ variable }) => variable.value),
      ]);
    }
    case 'seed':
      return new Set(operation.certain);
    case 'nop':
    case 'service':
      return new Set();
    default:
      // The expression may be an error: EXTEND does not always bind its variable.
      return certainVariables(operation.input);
  }
}

/** The variables of an expression; of an EXISTS all those of its pattern. */
export function expressionVariables(expression: Expression): Set<string> {
  const names = new Set<string>();
  const visit = (node: Operation | Expression): Operation | Expression => {
    // Variables of the right side of MINUS are not visible, but values of the row are substituted there too.
    if (node.type === 'minus') visibleVariables(node.input[1]).forEach((name) => names.add(name));
    if (node.type === 'expression') {
      if (node.subType === 'term') termVariables(node.term).forEach((name) => names.add(name));
      if (node.subType === 'existence') visibleVariables(node.input).forEach((name) => names.add(name));
    }
    mapChildren(node, visit);
    return node;
  };
  visit(expression);
  return names;
}

export function hasExistence(expression: Expression): boolean {
  if (expression.subType === 'existence') return true;
  if (expression.subType === 'operator' || expression.subType === 'named') return expression.args.some(hasExistence);
  return expression.subType === 'aggregate' && hasExistence(expression.expression);
}

export const union = (sets: readonly ReadonlySet<string>[]): Set<string> => new Set(sets.flatMap((set) => [...set]));

export function intersection([first, ...others]: readonly ReadonlySet<string>[]): Set<string> {
  return new Set([...(first ?? [])].filter((name) => others.every((set) => set.has(name))));
}

export const isSubset = (names: Iterable<string>, set: ReadonlySet<string>): boolean => {
  for (const name of names) if (!set.has(name)) return false;
  return true;
};
