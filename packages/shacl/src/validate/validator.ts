/** Validates data against shapes: all of them, or what a change can affect. */
import { termToNTriples } from '@quadrille/model';
import type { ShapesData } from '../data/shapes-data.js';
import type { ShapesGraph } from '../shapes/parse-shapes.js';
import type { Triple } from '../shapes/paths.js';
import type { Shape } from '../shapes/shape.js';
import type { Steps } from '../steps.js';
import { Affected } from './affected.js';
import { type Costs, explained, type ExplainedConstraint, LastCosts } from './explain.js';
import { pathText } from '../report/path-text.js';
import { Results, type ResultLimits, type ValidationResult } from './results.js';
import { focusNodesAmong, validateAll } from './targets.js';
import { batchesOf, Validation } from './validation.js';

type Validate = (shape: Shape, nodes: readonly number[]) => Steps<void>;

/** Of a batch of nodes. */
const ANY_RESULTS: ResultLimits = { memoryBytes: 64 * 1024 * 1024 };

/** The same result of two states has the same key. */
const resultKey = ({ focusNode, path, value, shape, component, source }: ValidationResult): string =>
  [focusNode, value, shape, source]
    .map((term) => (term === undefined ? '' : termToNTriples(term)))
    .concat(component, path === undefined ? '' : pathText(path))
    .join(' ');

/** A graph of shapes bound to data. */
export class ShapesValidator {
  readonly #affected: Affected;
  readonly #costs = new LastCosts();

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
  *all(data: ShapesData, limits?: ResultLimits, before?: ShapesData): Steps<Results> {
    const results = new Results(limits);
    const validation = this.#validation(data);
    yield* validateAll(validation, this.shapes, this.#against(validation, before, results), results);
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

  /**
   * Validates the focus nodes that a change can affect; `data` is the state with the change.
   * @param before the state without it: results that it has too are left out
   * @param limits those of a change unless they are given
   */
  *change(data: ShapesData, triples: Iterable<Triple>, before?: ShapesData, limits?: ResultLimits): Steps<Results> {
    const validation = this.#validation(data, this.#costs.next());
    const affected = yield* this.#affected.by(validation, triples);
    if (affected === undefined) return yield* this.all(data, limits, before);
    const results = new Results(limits);
    const validate = this.#against(validation, before, results);
    for (const [shape, nodes] of affected.nodes) {
      for (const batch of batchesOf(nodes)) yield* validate(shape, batch);
      if (results.isFull) return results;
    }
    const { type } = this.shapes;
    yield* validateAll(validation, { shapes: affected.whole, type }, validate, results);
    return results;
  }

  /** Validates nodes, and leaves out the results of the state before. */
  #against(validation: Validation, before: ShapesData | undefined, results: Results): Validate {
    if (before === undefined) return (shape, nodes) => validation.validate(shape, nodes, results);
    const earlier = this.#validation(before);
    return function* (shape, nodes) {
      const now = new Results(ANY_RESULTS);
      yield* validation.validate(shape, nodes, now);
      if (now.list.length === 0) return;
      const old = new Results(ANY_RESULTS);
      yield* earlier.validate(shape, yield* focusNodesAmong(earlier, shape, nodes), old);
      const keys = new Set(old.list.map(resultKey));
      for (const result of now.list) if (!keys.has(resultKey(result))) results.take(result);
    };
  }

  /** What the validation of a change does for each constraint, and what that has cost. */
  explain(): readonly ExplainedConstraint[] {
    return explained(this.shapes, this.#costs);
  }

  #validation(data: ShapesData, costs?: Costs): Validation {
    return new Validation(data, this.shapes.type, this.shapes.subClassOf, costs);
  }
}
