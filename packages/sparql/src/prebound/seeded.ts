/**
 * One query for many rows of pre-bound values. Pre-binding puts the values into every scope of a query, while a row that is joined with a
 * query does not reach its inner groups. So the rows stand beside each part that names the variables, and the solutions are those of all
 * rows together.
 */
import type * as RDF from '@rdfjs/types';
import { expressionsIn, isTwoSided, type Operation, type Values } from '../algebra/algebra.js';
import { expressionVariables, mentionedVariables } from '../algebra/variables.js';
import { recordOf } from '../algebra/operations/index.js';
import { inputsOf, mapInputs } from '../algebra/rewrite.js';
import { columnsOf } from '../algebra/substitute-variables.js';
import { makeVariable } from '../algebra/terms.js';

/** Whether many rows can be asked at once: LIMIT and aggregates of everything mean something else for each row. */
export function takesRows(node: Operation, names: readonly string[]): boolean {
  if (!mentions(node, names)) return true;
  if (node.type === 'slice' || node.type === 'values' || node.type === 'describe') return false;
  if (recordOf(node).comparesVariables === true || (node.type === 'group' && node.variables.length === 0)) return false;
  return inputsOf(node).every((input) => takesRows(input, names));
}

/** The query for rows. Its solutions have the variables of the rows, too. */
export function seeded(node: Operation, values: Values): Operation {
  if (node.type === 'ask') return { type: 'distinct', input: project(below(node.input, values), values.variables) };
  return mentionsRows(node, values) ? within(node, values) : project(node, values.variables, values);
}

const project = (node: Operation, variables: readonly RDF.Variable[], values?: Values): Operation => {
  const own = values === undefined ? [] : columnsOf(node).map(makeVariable);
  const input = values === undefined ? node : beside(node, values);
  return { type: 'project', input, variables: [...own, ...variables] };
};

function within(node: Operation, values: Values): Operation {
  const part = (input: Operation): Operation => (mentionsRows(input, values) ? within(input, values) : input);
  if (isTwoSided(node)) return mapInputs(node, (input, at) => (at === 0 ? below(input, values) : part(input)));
  switch (node.type) {
    case 'bgp':
    case 'path':
      return beside(node, values);
    case 'join':
      return mapInputs(node, part);
    case 'project':
    case 'group':
      return {
        ...node,
        input: below(node.input, values),
        variables: [...node.variables, ...missing(node.variables, values.variables)],
      };
    default:
      // Every branch of a union, and what filters, BIND and GRAPH look at.
      return mapInputs(node, (input) => below(input, values));
  }
}

const below = (node: Operation, values: Values): Operation =>
  mentionsRows(node, values) ? within(node, values) : beside(node, values);

function beside(node: Operation, values: Values): Operation {
  const isUnit = node.type === 'bgp' && node.patterns.length === 0;
  return isUnit ? values : { type: 'join', input: [values, node] };
}

const missing = (present: readonly RDF.Variable[], wanted: readonly RDF.Variable[]): readonly RDF.Variable[] =>
  wanted.filter(({ value }) => !present.some((variable) => variable.value === value));

const mentionsRows = (node: Operation, { variables }: Values): boolean =>
  mentions(
    node,
    variables.map(({ value }) => value),
  );

function mentions(node: Operation, names: readonly string[]): boolean {
  const mentioned = mentionedVariables(node);
  if (names.some((name) => mentioned.has(name))) return true;
  return expressionsIn(node).some((expression) => names.some((name) => expressionVariables(expression).has(name)));
}

/** Rows of terms for variables. */
export const rowsOf = (names: readonly string[], rows: readonly (readonly RDF.Term[])[]): Values => ({
  type: 'values',
  variables: names.map(makeVariable),
  bindings: rows.map((row) => Object.fromEntries(row.map((term, i) => [names[i]!, term]))),
});
