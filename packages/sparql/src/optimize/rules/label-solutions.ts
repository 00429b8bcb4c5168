/**
 * BNODE("a") gives one node within a solution, also in a solution that others were joined into. So a solution in which it is called
 * gets a blank node of its own in a hidden column, which joins hand on. The node of a label is made of that one and the label.
 */
import { expressionsIn, partsOf, type Expression, type Operation } from '../../algebra/algebra.js';
import { comesFrom } from '../../algebra/operations/index.js';
import { foundUp, inputsOf, mapExpressions, rewriteUp, withInputs, type Task } from '../../algebra/rewrite.js';
import { makeVariable } from '../../algebra/terms.js';
import { visibleVariables } from '../../algebra/variables.js';
import type { NewName } from './graphs-in-patterns.js';

/** The hidden columns of an operation. */
interface Labels {
  readonly names: readonly string[];
  /** Whether each solution has one of them. */
  readonly always: boolean;
}

const NONE: Labels = { names: [], always: false };
const isCalledIn = new WeakMap<Operation, boolean>();

/** EXISTS gives no solution to others: what stands in it is rewritten where it is planned. */
export function* labelSolutions(operation: Operation, newName: NewName): Task<Operation> {
  const isCalled = foundUp(
    isCalledIn,
    operation,
    (node) => expressionsIn(node).some(isLabelled) || inputsOf(node).some((input) => isCalledIn.get(input)),
  );
  if (!isCalled) return operation;
  const labeller = new Labeller(newName);
  return (yield rewriteUp(operation, (node) => labeller.label(node))) as Operation;
}

function isLabelled(expression: Expression): boolean {
  for (const part of partsOf(expression)) if (isCall(part)) return true;
  return false;
}

const isCall = (part: Expression): part is Expression & { readonly subType: 'operator' } =>
  part.subType === 'operator' && part.operator === 'bnode' && part.args.length === 1;

class Labeller {
  readonly #labels = new Map<Operation, Labels>();

  constructor(private readonly newName: NewName) {}

  *label(node: Operation): Task<Operation> {
    if (node.type === 'distinct' || node.type === 'reduced') return this.#withoutLabels(node);
    const made = expressionsIn(node).some(isLabelled) ? ((yield this.#withCalls(node)) as Operation) : node;
    const labels = this.#labelsOf(made);
    if (labels.names.length === 0) return made;
    const handedOn = this.#handedOn(made, labels);
    this.#labels.set(handedOn, labels);
    return handedOn;
  }

  /** DISTINCT compares the columns that were asked for. */
  #withoutLabels(node: Operation & { type: 'distinct' | 'reduced' }): Operation {
    const { input } = node;
    const { names } = this.#labels.get(input) ?? NONE;
    if (names.length === 0 || input.type !== 'project') return node;
    return { ...node, input: { ...input, variables: input.variables.filter(({ value }) => !names.includes(value)) } };
  }

  /** A sub-select hands its columns on. */
  #handedOn(node: Operation, { names }: Labels): Operation {
    return node.type === 'project'
      ? { ...node, variables: [...node.variables, ...names.map((name) => makeVariable(name))] }
      : node;
  }

  #labelsOf(node: Operation): Labels {
    const of = (input: Operation): Labels => this.#labels.get(input) ?? NONE;
    const names = inputsOf(node).flatMap((input) => of(input).names);
    if (names.length === 0 || node.type === 'group') return NONE;
    const visible = node.type === 'project' ? undefined : visibleVariables(node);
    return {
      names: names.filter((name) => visible?.has(name) !== false),
      always: comesFrom(node, (input) => of(input).always),
    };
  }

  *#withCalls(node: Operation): Task<Operation> {
    const [first, ...others] = inputsOf(node);
    const input = this.#withLabel(first!);
    const [name] = this.#labels.get(input)!.names;
    const around = withInputs(node, [input, ...others]);
    return (yield mapExpressions(around, (child) => inSolution(child, name!))) as Operation;
  }

  /** An input whose solutions have one such column, which always has a value. */
  #withLabel(input: Operation): Operation {
    const own = this.#labels.get(input) ?? NONE;
    if (own.names.length === 1 && own.always) return input;
    const known = own.names.map((name) => termOf(name));
    const name = this.newName();
    const made: Operation = {
      type: 'extend',
      input,
      variable: makeVariable(name),
      expression: operator('coalesce', [...known, operator('bnode', [])]),
    };
    this.#labels.set(made, { names: [name], always: true });
    return made;
  }
}

function* inSolution(expression: Expression, name: string): Task<Expression> {
  if (!isLabelled(expression)) return expression;
  const made = (yield mapExpressions(expression, (child) => inSolution(child, name))) as Expression;
  return isCall(made) ? { ...made, args: [...made.args, termOf(name)] } : made;
}

const termOf = (name: string): Expression => ({ type: 'expression', subType: 'term', term: makeVariable(name) });

const operator = (name: string, args: readonly Expression[]): Expression => ({
  type: 'expression',
  subType: 'operator',
  operator: name,
  args,
});
