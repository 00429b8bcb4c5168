/** Gives variables of an operation other names, wherever they stand in it. */
import type * as RDF from '@rdfjs/types';
import { expressionsIn, partsOf, type Expression, type Operation, type Values } from './algebra.js';
import { inputsOf, mapChildrenInSteps, type Task } from './rewrite.js';
import { makePattern, makeVariable, mapTripleTerm } from './terms.js';
import { hasExistence } from './variables.js';

type Names = ReadonlyMap<string, string>;

/** Whether nothing in an operation has to keep its names: other hosts and rows of enclosing operators know them. */
export function canBeRenamed(operation: Operation): boolean {
  const open: Operation[] = [operation];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'service' || node.type === 'seed') return false;
    for (const input of inputsOf(node)) open.push(input);
    for (const expression of expressionsIn(node)) {
      if (!hasExistence(expression)) continue;
      for (const part of partsOf(expression)) if (part.subType === 'existence') open.push(part.input);
    }
  }
  return true;
}

/** A node with its own variables renamed, and what `visit` makes of the operations and expressions in it. */
export function* renameNode(
  node: Operation | Expression,
  names: Names,
  visit: (child: Operation | Expression) => Task<Operation | Expression>,
): Task<Operation | Expression> {
  if (node.type !== 'expression' && !('input' in node)) return renameLeaf(node, names);
  return withOwn((yield mapChildrenInSteps(node, visit)) as Operation | Expression, names);
}

/** An operation without inputs with its variables renamed. */
export const renameLeaf = (node: Operation, names: Names): Operation =>
  node.type === 'values' ? renameValues(node, names) : withOwn({ ...node }, names);

/** A copy that nobody has seen, with the variables in its members renamed: columns, names, ends of patterns. */
function withOwn<T extends Operation | Expression>(copy: T, names: Names): T {
  const own = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(own);
    return typeof value === 'object' && value !== null && 'termType' in value
      ? renamed(value as RDF.Term, names)
      : value;
  };
  return Object.assign(copy, Object.fromEntries(Object.entries(copy).map(([key, value]) => [key, own(value)])));
}

/** An operation or an expression with its variables renamed, those in EXISTS too. See {@link canBeRenamed}. */
export const renameVariables = (node: Operation | Expression, names: Names): Task<Operation | Expression> =>
  renameNode(node, names, (child) => renameVariables(child, names));

function renamed(term: RDF.Term, names: Names): RDF.Term {
  if (term.termType === 'Quad') {
    const member = (one: RDF.Term): RDF.Term => renamed(one, names);
    if (!('type' in term)) return mapTripleTerm(term, member);
    return makePattern(member(term.subject), member(term.predicate), member(term.object), member(term.graph));
  }
  const name = term.termType === 'Variable' ? names.get(term.value) : undefined;
  return name === undefined ? term : makeVariable(name);
}

function renameValues(values: Values, names: Names): Values {
  const nameOf = (name: string): string => names.get(name) ?? name;
  return {
    ...values,
    variables: values.variables.map((variable) => renamed(variable, names) as RDF.Variable),
    bindings: values.bindings.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, term]) => [nameOf(name), term])),
    ),
  };
}
