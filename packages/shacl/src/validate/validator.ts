/** Validates data against shapes: all of them, or what a change can affect. */
import type { ShapesData } from '../data/shapes-data.js';
import type { ShapesGraph } from '../shapes/parse-shapes.js';
import type { Triple } from '../shapes/paths.js';
import type { Shape } from '../shapes/shape.js';
import type { Steps } from '../steps.js';
import { Affected } from './affected.js';
import { Results } from './results.js';
import { validateAll } from './targets.js';
import { Validation } from './validation.js';

/** Focus nodes that are kept. If a change affects more, all nodes are validated. */
const MOST_AFFECTED = 1_000_000;

/** A graph of shapes bound to data. */
export class ShapesValidator {
  readonly #affected: Affected;

  constructor(
    /** Those that it validates with. */
    readonly shapes: ShapesGraph,
  ) {
    this.#affected = new Affected(shapes);
  }

  /** Finds the numbers of the terms of the shapes in the data. Returns whether all are there. */
  *bind(data: ShapesData): Steps<boolean> {
    let isComplete = true;
    for (const bound of this.shapes.terms) {
      bound.id = yield* data.find(bound.term);
      isComplete &&= bound.id !== 0;
    }
    return isComplete;
  }

  /** Validates all focus nodes. Bind the shapes to the data first. */
  *all(data: ShapesData): Steps<Results> {
    const results = new Results();
    yield* validateAll(this.#validation(data), this.shapes, results);
    return results;
  }

  /** Validates the focus nodes that a change can affect; `data` is the state with the change. */
  *change(data: ShapesData, triples: Iterable<Triple>): Steps<Results> {
    const validation = this.#validation(data);
    const affected = new Map<Shape, Set<number>>();
    let count = 0;
    const note = (shape: Shape, node: number): void => {
      let nodes = affected.get(shape);
      if (nodes === undefined) affected.set(shape, (nodes = new Set()));
      if (nodes.has(node)) return;
      nodes.add(node);
      count++;
    };
    for (const triple of triples) {
      yield* this.#affected.by(validation, triple, note);
      if (count > MOST_AFFECTED) return yield* this.all(data);
      yield* validation.rest();
    }
    const results = new Results();
    for (const [shape, nodes] of affected) {
      for (const node of nodes) {
        yield* validation.validate(shape, node, results);
        if (results.isFull) return results;
        yield* validation.rest();
      }
    }
    return results;
  }

  #validation(data: ShapesData): Validation {
    return new Validation(data, this.shapes.type, this.shapes.subClassOf);
  }
}
