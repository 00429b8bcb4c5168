/** Walks over algebra that neither overflow the stack nor hold up the event loop, however large and deep it is. */
import type { Expression, Operation } from './algebra.js';
import { isNode, isTwoSided } from './algebra.js';

/**
 * A function that may call itself: it yields the task that it calls, and gets back what that returns. A task that yields nothing
 * has only made a step.
 */
export type Task<T> = Generator<Task<unknown> | undefined, T, unknown>;

/** Lets the event loop have its turn, and throws where the request has ended. */
export interface Pauses {
  checkpoint(): Promise<void> | undefined;
}

/** Steps between two looks at the clock. */
export const STEPS_AT_ONCE = 256;

/** Runs a task, with its calls on a stack of its own. It stops after every 256 steps. */
export function* inSteps<T>(task: Task<T>): Generator<undefined, T> {
  const calls: Task<unknown>[] = [task];
  let result: unknown;
  for (let steps = 1; ; steps++) {
    const { done, value } = calls.at(-1)!.next(result);
    result = undefined;
    if (done === true) {
      calls.pop();
      if (calls.length === 0) return value as T;
      result = value;
    } else if (value !== undefined) calls.push(value);
    if (steps % STEPS_AT_ONCE === 0) yield;
  }
}

/** Runs a task at once. */
export function atOnce<T>(task: Task<T>): T {
  const steps = inSteps(task);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Runs a task. The event loop has its turns in between, and what ends the request ends the task. */
export async function inTurn<T>(task: Task<T>, control: Pauses | undefined): Promise<T> {
  const steps = inSteps(task);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    const pause = control?.checkpoint();
    if (pause !== undefined) await pause;
  }
}

interface Frame {
  readonly node: Operation;
  readonly inputs: readonly Operation[];
  readonly made: Operation[];
}

export interface RewriteOptions {
  /** What was made of operations before. The results are kept there too, also as results of themselves. */
  readonly known?: { get(node: Operation): Operation | undefined; set(node: Operation, made: Operation): unknown };
  /** Whether patterns for other hosts are rewritten too. Default: they stay as they stand. */
  readonly services?: boolean;
}

/**
 * An operation whose parts were rewritten first, by a rule that gets each with its inputs rewritten. What does not change stays the
 * same object. Patterns of EXISTS are left alone.
 */
export function* rewriteUp(
  root: Operation,
  rule: (node: Operation) => Operation | Task<Operation>,
  { known, services = false }: RewriteOptions = {},
): Task<Operation> {
  const open: Frame[] = [];
  let next: Operation | undefined = root;
  let made = root;
  for (;;) {
    // Down to what has no inputs, or is known.
    while (next !== undefined) {
      const before: Operation | undefined = known?.get(next);
      const isLeft: boolean = next.type === 'service' && !services;
      const inputs: readonly Operation[] = before !== undefined || isLeft ? NOTHING : inputsOf(next);
      if (inputs.length > 0) {
        open.push({ node: next, inputs, made: [] });
        next = inputs[0];
        yield;
        continue;
      }
      made = before ?? next;
      if (before === undefined && !isLeft) {
        const ruled: Operation | Task<Operation> = rule(next);
        made = 'type' in ruled ? ruled : ((yield ruled) as Operation);
        known?.set(next, made);
        known?.set(made, made);
      }
      break;
    }
    // Up to the next input that was not rewritten yet.
    for (next = undefined; next === undefined;) {
      const frame = open.at(-1);
      if (frame === undefined) return made;
      const { node } = frame;
      next = frame.inputs[frame.made.push(made)];
      if (next !== undefined) break;
      open.pop();
      const ruled: Operation | Task<Operation> = rule(withInputs(node, frame.made));
      made = 'type' in ruled ? ruled : ((yield ruled) as Operation);
      known?.set(node, made);
      known?.set(made, made);
    }
  }
}

const NOTHING: readonly Operation[] = [];

/** The operations that an operation stands around. */
export function inputsOf(node: Operation): readonly Operation[] {
  if (!('input' in node)) return NOTHING;
  return Array.isArray(node.input) ? (node.input as readonly Operation[]) : [node.input as Operation];
}

/** The operation whose solutions this one hands on: the only input, or the first one of OPTIONAL and MINUS. */
export function outerOf(node: Operation): Operation | undefined {
  if (isTwoSided(node)) return node.input[0];
  return 'input' in node && !Array.isArray(node.input) ? (node.input as Operation) : undefined;
}

export const withOuter = (node: Operation, outer: Operation): Operation =>
  (isTwoSided(node) ? { ...node, input: [outer, node.input[1]] } : { ...node, input: outer }) as Operation;

/** An operation around other operations; itself, where they are those that it has. */
export function withInputs(node: Operation, inputs: readonly Operation[]): Operation {
  const own = inputsOf(node);
  if (inputs.every((input, at) => input === own[at])) return node;
  return { ...node, input: 'input' in node && Array.isArray(node.input) ? inputs : inputs[0] } as Operation;
}

/** An operation with its inputs mapped. Operations in EXISTS are not mapped. */
export const mapInputs = (node: Operation, visit: (input: Operation, at: number) => Operation): Operation =>
  withInputs(node, inputsOf(node).map(visit));

/** As `mapChildren`, for a visit that is a task. */
export function* mapChildrenInSteps<T extends Operation | Expression>(
  node: T,
  visit: (child: Operation | Expression) => Task<Operation | Expression>,
): Task<T> {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value as unknown[]) items.push(isNode(item) ? yield visit(item as Operation) : item);
      copy[key] = items;
    } else copy[key] = isNode(value) && key !== 'wildcard' ? yield visit(value as Operation) : value;
  }
  return copy as T;
}

/** The same for its expressions alone. */
export const mapExpressions = <T extends Operation | Expression>(
  node: T,
  visit: (child: Expression) => Task<Expression>,
): Task<T> => mapChildrenInSteps(node, (child) => (child.type === 'expression' ? visit(child) : itself(child)));

// eslint-disable-next-line require-yield
function* itself(operation: Operation): Task<Operation> {
  return operation;
}

/** What is known of an operation, found for all that stands below it first. Not recursive: a chain of operations may be long. */
export function foundUp<T>(known: WeakMap<Operation, T>, root: Operation, find: (node: Operation) => T): T {
  const before = known.get(root);
  if (before !== undefined) return before;
  const open = [root];
  for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
    const there = open.length;
    if (!known.has(node)) for (const input of inputsOf(node)) if (!known.has(input)) open.push(input);
    if (open.length > there) continue;
    if (!known.has(node)) known.set(node, find(node));
    open.pop();
  }
  return known.get(root)!;
}
