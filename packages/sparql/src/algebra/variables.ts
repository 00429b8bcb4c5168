/** Which variables an operation may bind, which it always binds, and which an expression looks at. */
import {
  type BoundAggregate,
  expressionsIn,
  isTwoSided,
  operandsOf,
  partsOf,
  termVariables,
  type Expression,
  type Operation,
} from './algebra.js';
import { NO_NAMES, unionOf } from './name-sets.js';
import { recordOf } from './operations/index.js';
import { foundUp, inputsOf } from './rewrite.js';

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
  const record = recordOf(operation);
  const inputs = inputsOf(operation).map(visibleVariables);
  if (record.visible !== undefined) return record.visible(operation, inputs);
  return record.binds === undefined ? inputs[0]! : unionOf([inputs[0]!, record.binds(operation, inputs)]);
}

/** The variables that an operation binds beside those that its first input has. */
export const boundVariables = (operation: Operation): ReadonlySet<string> =>
  recordOf(operation).binds?.(operation, inputsOf(operation).map(visibleVariables)) ?? NO_NAMES;

/** The variables that every solution of an operation has. */
export function certainVariables(operation: Operation): ReadonlySet<string> {
  return foundUp(certainOf, operation, findCertain);
}

function findCertain(operation: Operation): ReadonlySet<string> {
  const inputs = inputsOf(operation).map(certainVariables);
  return recordOf(operation).certain?.(operation, inputs) ?? inputs[0]!;
}

/** The variables that an operation looks at in solutions of its first input: in expressions, and where the other input has them. */
export const seenVariables = (operation: Operation): ReadonlySet<string> =>
  unionOf([
    ...(isTwoSided(operation) ? [visibleVariables(operation.input[1])] : []),
    ...expressionsIn(operation).map(expressionVariables),
  ]);

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
