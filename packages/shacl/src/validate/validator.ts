/** Validates data against shapes: all of them, or what a change can affect. */
import type { ShapesData } from '../data/shapes-data.js';
import type { ShapesGraph } from '../shapes/parse-shapes.js';
import type { Triple } from '../shapes/paths.js';
import type { Shape } from '../shapes/shape.js';
import type { Steps } from '../steps.js';
import { Affected } from './affected.js';
import { Results, type ResultLimits } from './results.js';
import { focusNodesAmong, validateAll } from './targets.js';
import { Validation } from './validation.js';

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
    this.#affected.forget();
    return isComplete;
  }

  /** Validates all focus nodes. Bind the shapes to the data first. */
  *all(data: ShapesData, limits?: ResultLimits): Steps<Results> {
    const results = new Results(limits);
    const validation = this.#validation(data);
    const validate = (shape: Shape, nodes: readonly number[]): Steps<void> =>
      validation.validate(shape, nodes, results);
    yield* validateAll(validation, this.shapes, validate, results);
    return results;
  }

  /** Validates these nodes against the shapes whose focus nodes they are. */
  *nodes(data: ShapesData, nodes: readonly number[], limits?: ResultLimits): Steps<Results> {
    const results = new Results(limits);
    const validation = this.#validation(data);
    for (const shape of this.shapes.shapes) {
      if (shape.targets.length === 0) continue;
      yield* validation.validate(shape, yield* focusNodesAmong(validation, shape, nodes), results);
      if (results.isFull) break;
    }
    return results;
  }

  /** Validates the focus nodes that a change can affect; `data` is the state with the change. */
  *change(data: ShapesData, triples: Iterable<Triple>): Steps<Results> {
    const validation = this.#validation(data);
    const affected = yield* this.#affected.by(validation, triples);
    if (affected === undefined) return yield* this.all(data);
    const results = new Results();
    const validate = (shape: Shape, nodes: Iterable<number>): Steps<void> => validation.validate(shape, nodes, results);
    for (const [shape, nodes] of affected.nodes) {
      yield* validate(shape, nodes);
      if (results.isFull) return results;
    }
    const { type } = this.shapes;
    yield* validateAll(validation, { shapes: affected.whole, type }, validate, results);
    return results;
  }

  #validation(data: ShapesData): Validation {
    return new Validation(data, this.shapes.type, this.shapes.subClassOf);
  }
}
