/** Gives variables of an operation other names, wherever they stand in it. */
import type * as RDF from '@rdfjs/types';
import { mapChildren, type BoundAggregate, type Expression, type Operation, type Values } from './algebra.js';
import { makePattern, makeVariable, mapTripleTerm } from './terms.js';

type Names = ReadonlyMap<string, string>;

/** `undefined` where a part of the operation has to keep its names: other hosts and rows of enclosing operators know them. */
export function renameVariables(operation: Operation, names: Names): Operation | undefined {
  if (names.size === 0) return operation;
  let possible = true;
  const rename = (term: RDF.Term): RDF.Term => renamed(term, names);
  const variable = (term: RDF.Variable): RDF.Variable => rename(term) as RDF.Variable;
  const visit = (node: Operation | Expression): Operation | Expression => {
    if (!possible) return node;
    switch (node.type) {
      case 'expression':
        if (node.subType === 'term') return { ...node, term: rename(node.term) };
        return isBound(node)
          ? Object.assign(mapChildren(node, visit), { variable: variable(node.variable) })
          : mapChildren(node, visit);
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
      case 'graph':
        return { ...mapChildren(node, visit), name: rename(node.name) as RDF.Variable };
      case 'extend':
        return { ...mapChildren(node, visit), variable: variable(node.variable) };
      case 'project':
      case 'group':
        return { ...mapChildren(node, visit), variables: node.variables.map(variable) };
      case 'service':
      case 'seed':
        possible = false;
        return node;
      default:
        return 'input' in node ? mapChildren(node, visit) : node;
    }
  };
  const result = visit(operation) as Operation;
  return possible ? result : undefined;
}

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
