/** Which variables an operation may bind, which it always binds, and which an expression looks at. */
import type * as RDF from '@rdfjs/types';
import {
  type BoundAggregate,
  EQUALITY_KEY,
  expressionsIn,
  operandsOf,
  partsOf,
  patternVariables,
  termVariables,
  type Expression,
  type Operation,
} from './algebra.js';
import { intersectionOf, NO_NAMES, unionOf } from './name-sets.js';
import { isOtherRepository } from './repository-address.js';
import { foundUp, inputsOf, outerOf } from './rewrite.js';

// Operations never change, so what is known of one is kept: rules and planners ask again at every level of a nested group.
const visibleOf = new WeakMap<Operation, ReadonlySet<string>>();
const certainOf = new WeakMap<Operation, ReadonlySet<string>>();
const mentionedIn = new WeakMap<Operation, ReadonlySet<string>>();
const lookedAtIn = new WeakMap<Operation, ReadonlySet<string>>();
const factsOf = new WeakMap<Expression, ExpressionFacts>();
const hasExistenceIn = new WeakMap<Expression, boolean>();

/** Whether it is COUNT(DISTINCT *), which tells solutions apart by all their variables. */
export const countsSolutions = ({ expression, distinct }: BoundAggregate): boolean =>
  distinct && expression.subType === 'wildcard';

/** The variables that a solution of this operation may have. */
export function visibleVariables(operation: Operation): ReadonlySet<string> {
  return foundUp(visibleOf, operation, findVisible);
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
    case 'leftjoin':
      return unionOf(operation.input.map(visibleVariables));
    case 'seed':
      return new Set(operation.variables);
    case 'extend':
      return unionOf([visibleVariables(operation.input), new Set([operation.variable.value])]);
    case 'graph':
    case 'service':
      return unionOf([visibleVariables(operation.input), new Set(termVariables(operation.name))]);
    case 'nop':
      return NO_NAMES;
    default:
      return visibleVariables(outerOf(operation)!);
  }
}

/** The variables that every solution of an operation has. */
export function certainVariables(operation: Operation): ReadonlySet<string> {
  return foundUp(certainOf, operation, findCertain);
}

function findCertain(operation: Operation): ReadonlySet<string> {
  switch (operation.type) {
    case 'bgp':
      return new Set(patternVariables(operation.patterns).filter((name) => !name.startsWith('_:')));
    case 'path':
      return new Set([operation.subject, operation.object, operation.graph].flatMap(termVariables));
    case 'join':
      return unionOf(operation.input.map(certainVariables));
    case 'union':
      return intersectionOf(operation.input.map(certainVariables));
    case 'graph':
      return unionOf([certainVariables(operation.input), new Set(termVariables(operation.name))]);
    case 'values':
      return new Set(
        operation.variables.map(nameOf).filter((name) => operation.bindings.every((row) => row[name] !== undefined)),
      );
    case 'project':
      return intersectionOf([new Set(operation.variables.map(nameOf)), certainVariables(operation.input)]);
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
    case 'service':
      // Another host may answer anything. What SILENT passes over in a repository is taken out before the request is planned.
      return isOtherRepository(operation) ? certainVariables(operation.input) : NO_NAMES;
    case 'nop':
      return NO_NAMES;
    default:
      return certainVariables(outerOf(operation)!);
  }
}

// An expression may be an error, but a term is not.
function certainWithExtend({ input, variable, expression }: Operation & { type: 'extend' }): ReadonlySet<string> {
  const inner = certainVariables(input);
  return isCertainTerm(expression, inner) ? unionOf([inner, new Set([variable.value])]) : inner;
}

/** Whether an expression has a value in every solution that binds these variables. */
export function isCertainTerm(expression: Expression, certain: ReadonlySet<string>): boolean {
  if (expression.subType === 'operator' && expression.operator === EQUALITY_KEY)
    return isCertainTerm(expression.args[0]!, certain);
  if (expression.subType !== 'term') return false;
  const { term } = expression;
  if (term.termType === 'Variable') return certain.has(term.value);
  return term.termType === 'NamedNode' || term.termType === 'Literal';
}

/** The variables that stand anywhere in an operation, also those that nothing outside of it sees. */
export function mentionedVariables(operation: Operation): ReadonlySet<string> {
  return foundUp(mentionedIn, operation, (node) => {
    const inside = inputsOf(node).map(mentionedVariables);
    const expressions = expressionsIn(node).map(expressionVariables);
    return unionOf([...inside, ...expressions, visibleVariables(node)]);
  });
}

/** The variables that expressions look at, wherever they stand in an operation. */
export function lookedAtVariables(operation: Operation): ReadonlySet<string> {
  return foundUp(lookedAtIn, operation, (node) =>
    unionOf([...inputsOf(node).map(lookedAtVariables), ...expressionsIn(node).map(expressionVariables)]),
  );
}

interface ExpressionFacts {
  readonly names: ReadonlySet<string>;
  readonly exists: boolean;
}

/** What {@link expressionVariables} and {@link hasExistence} say, found in steps: an expression may have a hundred thousand parts. */
export function* lookInto(expression: Expression): Generator<undefined, ExpressionFacts> {
  const known = factsOf.get(expression);
  if (known !== undefined) return known;
  const names = new Set<string>();
  let exists = false;
  for (const part of partsOf(expression)) {
    yield;
    if (part.subType === 'term') for (const name of termVariables(part.term)) names.add(name);
    if (part.subType !== 'existence') continue;
    exists = true;
    // Values of the row are substituted everywhere in the pattern.
    for (const name of mentionedVariables(part.input)) names.add(name);
  }
  const facts = { names, exists };
  factsOf.set(expression, facts);
  return facts;
}

function factsAtOnce(expression: Expression): ExpressionFacts {
  const known = factsOf.get(expression);
  if (known !== undefined) return known;
  const steps = lookInto(expression);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The variables of an expression; of an EXISTS all those of its pattern. */
export const expressionVariables = (expression: Expression): ReadonlySet<string> => factsAtOnce(expression).names;

/** Whether EXISTS stands in an expression. Not recursive along the first operands: a chain of operators may be long. */
export function hasExistence(expression: Expression): boolean {
  if (factsOf.get(expression)?.exists === false) return false;
  // What is said of each part is kept: rules ask again at every level.
  const chain: Expression[] = [];
  let first: Expression | undefined = expression;
  while (first !== undefined && !hasExistenceIn.has(first) && !isLeaf(first)) {
    chain.push(first);
    [first] = operandsOf(first);
  }
  let has = first !== undefined && (hasExistenceIn.get(first) ?? first.subType === 'existence');
  for (const part of chain.toReversed()) {
    has ||= operandsOf(part).some((operand, i) => i > 0 && hasExistence(operand));
    hasExistenceIn.set(part, has);
  }
  return has;
}

const isLeaf = ({ subType }: Expression): boolean =>
  subType === 'term' || subType === 'wildcard' || subType === 'existence';

const nameOf = ({ value }: RDF.Variable): string => value;

export const isSubset = (names: Iterable<string>, set: ReadonlySet<string>): boolean => {
  for (const name of names) if (!set.has(name)) return false;
  return true;
};
