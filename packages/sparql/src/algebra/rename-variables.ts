/** Gives variables of an operation other names, wherever they stand in it. */
import type * as RDF from '@rdfjs/types';
import {
  expressionsIn,
  partsOf,
  type BoundAggregate,
  type Expression,
  type Operation,
  type Values,
} from './algebra.js';
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
  const rename = (term: RDF.Term): RDF.Term => renamed(term, names);
  const variable = (term: RDF.Variable): RDF.Variable => rename(term) as RDF.Variable;
  if (node.type === 'expression') {
    if (node.subType === 'term') return { ...node, term: rename(node.term) };
    const copy = (yield mapChildrenInSteps(node, visit)) as Expression;
    return isBound(copy) ? Object.assign(copy, { variable: variable(copy.variable) }) : copy;
  }
  if (!('input' in node)) return renameLeaf(node, names);
  const copy = (yield mapChildrenInSteps(node, visit)) as Operation;
  switch (copy.type) {
    case 'graph':
      return { ...copy, name: rename(copy.name) as RDF.Variable };
    case 'extend':
      return { ...copy, variable: variable(copy.variable) };
    case 'project':
    case 'group':
      return { ...copy, variables: copy.variables.map(variable) };
    case 'slice':
      return copy.of === undefined ? copy : { ...copy, of: variable(copy.of) };
    case 'minus':
      return copy.column === undefined ? copy : { ...copy, column: variable(copy.column) };
    default:
      return copy;
  }
}

/** An operation without inputs with its variables renamed. */
export function renameLeaf(node: Operation, names: Names): Operation {
  const rename = (term: RDF.Term): RDF.Term => renamed(term, names);
  switch (node.type) {
    case 'bgp':
      return {
        ...node,
        patterns: node.patterns.map(({ subject, predicate, object, graph }) =>
          makePattern(rename(subject), rename(predicate), rename(object), rename(graph)),
        ),
      };
    case 'path':
      return { ...node, subject: rename(node.subject), object: rename(node.object), graph: rename(node.graph) };
    case 'values':
      return renameValues(node, names);
    default:
      return node;
  }
}

/** An operation or an expression with its variables renamed, those in EXISTS too. See {@link canBeRenamed}. */
export const renameVariables = (node: Operation | Expression, names: Names): Task<Operation | Expression> =>
  renameNode(node, names, (child) => renameVariables(child, names));

const isBound = (node: Expression): node is BoundAggregate => 'variable' in node;

function renamed(term: RDF.Term, names: Names): RDF.Term {
  if (term.termType === 'Quad') return mapTripleTerm(term, (member) => renamed(member, names));
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
