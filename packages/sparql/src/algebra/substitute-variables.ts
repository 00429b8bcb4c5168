/**
 * Binds variables before a request runs, by rewriting the algebra: the result is that of joining every pattern in which the
 * variable is visible with that one value. A variable that a sub-select keeps to itself is another one.
 */
import type * as RDF from '@rdfjs/types';
import { dataFactory, iri, XSD } from '@quadrille/model';
import {
  belowModifiers,
  type Expression,
  type Nearest,
  type Operation,
  type Pattern,
  type Search,
  type UpdateOperation,
  type Values,
} from './algebra.js';
import { recordOf } from './operations/index.js';
import { atOnce, mapChildrenInSteps, type Task } from './rewrite.js';
import { makePattern, makeVariable, mapTripleTerm } from './terms.js';
import { visibleVariables } from './variables.js';

export type InitialBindings = Readonly<Record<string, RDF.Term>>;

/** A query with its variables bound; those that it selects are columns still. */
export function bindQuery(operation: Operation, bindings: InitialBindings): Operation {
  if (Object.keys(bindings).length === 0) return operation;
  return bindTop(operation, bindings);
}

/** The walk is a task, since a chain of operators is as deep as it is long. */
const bindAll = (operation: Operation, bindings: InitialBindings): Operation =>
  atOnce(bind(operation, bindings)) as Operation;

export function bindUpdate(operation: UpdateOperation, bindings: InitialBindings): UpdateOperation {
  if (operation.type !== 'deleteinsert' || Object.keys(bindings).length === 0) return operation;
  return {
    ...operation,
    ...(operation.delete && { delete: operation.delete.map((pattern) => bindPattern(pattern, bindings)) }),
    ...(operation.insert && { insert: operation.insert.map((pattern) => bindPattern(pattern, bindings)) }),
    ...(operation.where && { where: bindAll(operation.where, bindings) }),
  };
}

function bindTop(operation: Operation, bindings: InitialBindings): Operation {
  switch (operation.type) {
    case 'slice':
    case 'distinct':
    case 'reduced':
    case 'ask':
      return { ...operation, input: bindTop(operation.input, bindings) };
    case 'construct':
      return {
        ...operation,
        template: operation.template.map((pattern) => bindPattern(pattern, bindings)),
        input: bindTop(operation.input, bindings),
      };
    case 'describe':
      return {
        ...operation,
        terms: operation.terms.map((term) => bindTerm(term, bindings)),
        input: bindTop(operation.input, bindings),
      };
    case 'project': {
      const names = new Set(operation.variables.map(({ value }) => value));
      return { ...operation, input: restore(bindAll(operation.input, bindings), bindings, names) };
    }
    default:
      return bindAll(operation, bindings);
  }
}

type Node = Operation | Expression;

/** `isContext`: the groups of sub-selects have the values too, as in EXISTS. */
function* bind(node: Node, bindings: InitialBindings, isContext = false): Task<Node> {
  const below = (child: Node): Task<Node> => bind(child, bindings, isContext);
  switch (node.type) {
    case 'expression':
      return yield* bindExpression(node, bindings, isContext);
    case 'bgp':
      return { ...node, patterns: node.patterns.map((pattern) => bindPattern(pattern, bindings)) };
    case 'path':
      return {
        ...node,
        subject: bindTerm(node.subject, bindings),
        object: bindTerm(node.object, bindings),
        graph: bindTerm(node.graph, bindings),
      };
    case 'graph':
    case 'service':
      return { ...(yield* mapChildrenInSteps(node, below)), name: bindTerm(node.name, bindings) as RDF.NamedNode };
    case 'values':
      return bindValues(node, bindings);
    case 'search':
      return bindSearch(node, bindings);
    case 'nearest':
      return yield* bindNearest(node, bindings, isContext);
    case 'extend':
      return bindExtend(yield* mapChildrenInSteps(node, below), bindings);
    case 'group': {
      const names = new Set(node.variables.map(({ value }) => value));
      const group = yield* mapChildrenInSteps(node, below);
      return { ...group, input: restore(group.input, bindings, names) };
    }
    case 'project': {
      const names = new Set(node.variables.map(({ value }) => value));
      const visible = Object.fromEntries(Object.entries(bindings).filter(([name]) => names.has(name)));
      const inside = isContext ? bindings : visible;
      return { ...node, input: restore((yield bind(node.input, inside, isContext)) as Operation, visible, names) };
    }
    default:
      // MINUS removes nothing where its sides share no variable: both keep theirs.
      return yield* mapChildrenInSteps(
        node,
        recordOf(node).comparesVariables === true
          ? (child) => bindVisible(child as Operation, bindings, isContext)
          : below,
      );
  }
}

function* bindExpression(expression: Expression, bindings: InitialBindings, isContext: boolean): Task<Expression> {
  if (expression.subType === 'term') return { ...expression, term: bindTerm(expression.term, bindings) };
  const [argument] = expression.subType === 'operator' ? expression.args : [];
  const asksBound = expression.subType === 'operator' && expression.operator === 'bound';
  if (asksBound && argument?.subType === 'term' && bindings[argument.term.value] !== undefined) {
    return { type: 'expression', subType: 'term', term: dataFactory.literal('true', iri(`${XSD}boolean`)) };
  }
  const isInside = isContext || expression.subType === 'existence';
  return yield* mapChildrenInSteps(expression, (child) => bind(child, bindings, isInside));
}

function bindPattern(pattern: Pattern, bindings: InitialBindings): Pattern {
  return makePattern(
    bindTerm(pattern.subject, bindings),
    bindTerm(pattern.predicate, bindings),
    bindTerm(pattern.object, bindings),
    bindTerm(pattern.graph, bindings),
  );
}

function bindTerm(term: RDF.Term, bindings: InitialBindings): RDF.Term {
  if (term.termType === 'Quad') return mapTripleTerm(term, (member) => bindTerm(member, bindings));
  return term.termType === 'Variable' && Object.hasOwn(bindings, term.value) ? (bindings[term.value] ?? term) : term;
}

function bindValues(values: Values, bindings: InitialBindings): Values {
  const fits = (row: Readonly<Record<string, RDF.Term>>): boolean =>
    Object.entries(bindings).every(([name, term]) => row[name] === undefined || row[name].equals(term));
  return {
    ...values,
    variables: values.variables.filter(({ value }) => !Object.hasOwn(bindings, value)),
    bindings: values.bindings
      .filter(fits)
      .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !Object.hasOwn(bindings, name)))),
  };
}

/** `BIND (… AS ?x)` with a bound ?x keeps the solutions in which both agree. */
function bindExtend(extend: Operation & { type: 'extend' }, bindings: InitialBindings): Operation {
  const term = bindings[extend.variable.value];
  if (term === undefined) return extend;
  const other = makeVariable(`${extend.variable.value}_bound`);
  const args: Expression[] = [termExpression(other), termExpression(term)];
  return {
    type: 'filter',
    input: { ...extend, variable: other },
    expression: { type: 'expression', subType: 'operator', operator: 'sameterm', args },
  };
}

// Its limit counts the rows before others are left out.
function bindSearch(search: Search, bindings: InitialBindings): Operation {
  return withValues({ ...search, arguments: search.arguments.map((term) => bindTerm(term, bindings)) }, bindings);
}

function withValues(bound: Operation, bindings: InitialBindings): Operation {
  const visible = [...visibleVariables(bound)].filter((name) => bindings[name] !== undefined);
  if (visible.length === 0) return bound;
  const row = Object.fromEntries(visible.map((name) => [name, bindings[name]!]));
  const values: Operation = { type: 'values', variables: visible.map((name) => makeVariable(name)), bindings: [row] };
  return { type: 'join', input: [values, bound] };
}

// What stands before it may have fewer solutions, but the values do not choose among its own.
function* bindNearest(nearest: Nearest, bindings: InitialBindings, isContext: boolean): Task<Operation> {
  const [before, pattern] = nearest.input;
  const input = [(yield bindVisible(before, bindings, isContext)) as Operation, pattern] as const;
  return withValues(
    { ...nearest, input, arguments: nearest.arguments.map((term) => bindTerm(term, bindings)) },
    bindings,
  );
}

function* bindVisible(operation: Operation, bindings: InitialBindings, isContext: boolean): Task<Operation> {
  return restore((yield bind(operation, bindings, isContext)) as Operation, bindings, visibleVariables(operation));
}

function restore(operation: Operation, bindings: InitialBindings, names: ReadonlySet<string>): Operation {
  let result = operation;
  const there = visibleVariables(operation);
  for (const [name, term] of Object.entries(bindings)) {
    if (!names.has(name) || there.has(name)) continue;
    result = { type: 'extend', input: result, variable: makeVariable(name), expression: termExpression(term) };
  }
  return result;
}

const termExpression = (term: RDF.Term): Expression => ({ type: 'expression', subType: 'term', term });

/** The columns of a query, in its order. */
export function columnsOf(algebra: Operation): string[] {
  const top = belowModifiers(algebra);
  return top.type === 'project' ? top.variables.map(({ value }) => value) : [...visibleVariables(top)];
}
