/**
 * Which nodes conform to shapes that refer to themselves. A node that is being validated against a shape conforms to it meanwhile. What
 * was found under such an assumption holds as long as the assumption does. Most shapes are plain: a node never conforms because another
 * one does not. A node that fails a plain shape under assumptions fails without them, too. One that conforms under them is known as such
 * until an assumption turns out to be wrong.
 */
import { EvaluationError } from '@quadrille/model';
import type { Shape } from '../shapes/shape.js';
import { run, type Steps } from '../steps.js';

/** Evaluations above each other before the next one gets a stack of its own. */
const DEEPEST_STACK = 100;
/** Evaluations above each other at all: 100 MB. */
const MOST_DEPTH = 100_000;
/** Results that are kept. */
const MOST_KNOWN = 1_000_000;

interface Open {
  readonly depth: number;
  /** How many results were provisional when it began. */
  readonly provisional: number;
}

/** Whether a node conforms; `maybe`: as long as the assumptions hold that are made at present. */
type Known = 'yes' | 'no' | 'maybe';

export class Recursion {
  readonly #open = new Map<Shape, Map<number, Open>>();
  readonly #known = new Map<Shape, Map<number, Known>>();
  #knownCount = 0;
  /** What is known as `maybe`, in the order in which it was found. */
  readonly #provisional: (readonly [shape: Shape, node: number])[] = [];
  #depth = 0;
  /** Depth of the lowest assumption that was made by what is evaluated now. */
  #lowest = Infinity;

  /** Whether a node is being validated against a shape. */
  isOpen(shape: Shape, node: number): boolean {
    return this.#open.get(shape)?.has(node) === true;
  }

  /** Validates a node while it counts as one that conforms. */
  *during<T>(shape: Shape, node: number, work: () => Steps<T>): Steps<T> {
    const { provisional } = this.#enter(shape, node);
    try {
      return yield* work();
    } finally {
      this.#leave(shape, node);
      this.#drop(provisional);
    }
  }

  /** Whether a node conforms to a shape, by `work` where that is not known. */
  *conforms(shape: Shape, node: number, work: () => Steps<boolean>): Steps<boolean> {
    const open = this.#open.get(shape)?.get(node);
    if (open !== undefined) {
      this.#lowest = Math.min(this.#lowest, open.depth);
      return true;
    }
    const known = this.#known.get(shape)?.get(node);
    // That may rest on any assumption, so it is taken as resting on the first one.
    if (known === 'maybe') this.#lowest = 0;
    if (known !== undefined) return known !== 'no';
    const outer = this.#lowest;
    this.#lowest = Infinity;
    const { depth, provisional } = this.#enter(shape, node);
    let conforms: boolean;
    try {
      conforms = depth % DEEPEST_STACK === DEEPEST_STACK - 1 ? yield* apart(work) : yield* work();
    } finally {
      this.#leave(shape, node);
    }
    const isPlain = shape.recursion === 'plain';
    // Without an assumption about a node further out the result holds; a plain shape that fails does so under fewer assumptions, too.
    const isCertain = this.#lowest >= depth || (isPlain && !conforms);
    if (!conforms) this.#drop(provisional);
    else if (isCertain) this.#confirm(provisional);
    if (isCertain) this.#keep(shape, node, conforms ? 'yes' : 'no');
    else if (isPlain) {
      this.#keep(shape, node, 'maybe');
      this.#provisional.push([shape, node]);
    }
    this.#lowest = isCertain ? outer : Math.min(outer, this.#lowest);
    return conforms;
  }

  #enter(shape: Shape, node: number): Open {
    if (this.#depth >= MOST_DEPTH)
      throw new EvaluationError(
        'QUERY_MEMORY',
        `more than ${MOST_DEPTH.toLocaleString('en')} nodes refer to each other by shapes that refer to themselves`,
      );
    const open = { depth: this.#depth++, provisional: this.#provisional.length };
    let nodes = this.#open.get(shape);
    if (nodes === undefined) this.#open.set(shape, (nodes = new Map()));
    nodes.set(node, open);
    return open;
  }

  #leave(shape: Shape, node: number): void {
    this.#depth--;
    this.#open.get(shape)!.delete(node);
  }

  /** Forgets what was found under an assumption that was wrong. */
  #drop(from: number): void {
    for (const [shape, node] of this.#provisional.splice(from))
      if (this.#known.get(shape)?.delete(node) === true) this.#knownCount--;
  }

  #confirm(from: number): void {
    for (const [shape, node] of this.#provisional.splice(from)) this.#known.get(shape)?.set(node, 'yes');
  }

  #keep(shape: Shape, node: number, known: Known): void {
    if (this.#knownCount >= MOST_KNOWN) {
      this.#known.clear();
      this.#knownCount = 0;
    }
    let nodes = this.#known.get(shape);
    if (nodes === undefined) this.#known.set(shape, (nodes = new Map()));
    nodes.set(node, known);
    this.#knownCount++;
  }
}

/** Does the work on a stack of its own. */
function* apart<T>(work: () => Steps<T>): Steps<T> {
  let result: { readonly value: T } | undefined;
  // A call would begin on the present stack.
  yield Promise.resolve()
    .then(() => run(work()))
    .then((value) => void (result = { value }));
  return result!.value;
}
