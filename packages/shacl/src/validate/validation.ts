/** One validation of a data graph: what conforms to which shape. */
import type * as RDF from '@rdfjs/types';
import type { ShapesData } from '../data/shapes-data.js';
import type { BoundTerm } from '../shapes/paths.js';
import { follow } from '../shapes/paths.js';
import type { Checked, Constraint, PlacedViolation, Shape, Validating } from '../shapes/shape.js';
import type { Steps } from '../steps.js';
import { Recursion } from './recursion.js';
import type { Results } from './results.js';

const NO_SUPERCLASSES: ReadonlySet<number> = new Set();
/** Classes whose superclasses are kept. */
const MOST_CLASSES = 10_000;
/** Focus nodes that are validated together: a query is asked once for all of them. */
export const NODES_AT_ONCE = 1000;

export class Validation implements Validating {
  readonly #superclasses = new Map<number, ReadonlySet<number>>();
  readonly #ids = new Map<readonly BoundTerm[], ReadonlySet<number>>();
  readonly #recursion = new Recursion();

  constructor(
    readonly data: ShapesData,
    /** `rdf:type` and `rdfs:subClassOf`. */
    private readonly type: BoundTerm,
    private readonly subClassOf: BoundTerm,
  ) {}

  term(node: number): Steps<RDF.Term> {
    return this.data.term(node);
  }

  /** Gives other work its turn if it has waited long enough. */
  *rest(): Steps<void> {
    const pause = this.data.pause();
    if (pause !== undefined) yield pause;
  }

  /** The numbers of a list of terms. */
  idsOf(terms: readonly BoundTerm[]): ReadonlySet<number> {
    let ids = this.#ids.get(terms);
    if (ids === undefined) this.#ids.set(terms, (ids = new Set(terms.map(({ id }) => id))));
    return ids;
  }

  /** Whether a node is an instance of a class or of one of its subclasses. */
  *isInstance(node: number, type: number): Steps<boolean> {
    if (type === 0 || this.type.id === 0) return false;
    const types = yield* this.data.objects(node, this.type.id);
    if (types.includes(type)) return true;
    for (const one of types) if ((yield* this.#superclassesOf(one)).has(type)) return true;
    return false;
  }

  *#superclassesOf(type: number): Steps<ReadonlySet<number>> {
    if (this.subClassOf.id === 0) return NO_SUPERCLASSES;
    const known = this.#superclasses.get(type);
    if (known !== undefined) return known;
    const found = new Set<number>();
    const open = [type];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      for (const above of yield* this.data.objects(one, this.subClassOf.id)) {
        if (found.has(above)) continue;
        found.add(above);
        open.push(above);
      }
    }
    if (this.#superclasses.size >= MOST_CLASSES) this.#superclasses.clear();
    this.#superclasses.set(type, found);
    return found;
  }

  /** A class and all classes below it. */
  *subclasses(type: number): Steps<readonly number[]> {
    const found = new Set([type]);
    if (this.subClassOf.id === 0) return [...found];
    const open = [type];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      for (const below of yield* this.data.subjects(this.subClassOf.id, one)) {
        if (found.has(below)) continue;
        found.add(below);
        open.push(below);
      }
    }
    return [...found];
  }

  *#checked(shape: Shape, nodes: readonly number[]): Steps<Checked[]> {
    const checked: Checked[] = [];
    for (const focus of nodes) {
      const values = shape.path === undefined ? [focus] : yield* follow(this.data, shape.path, focus);
      checked.push({ focus, values });
      yield* this.rest();
    }
    return checked;
  }

  *#violations(constraint: Constraint, checked: readonly Checked[]): Steps<readonly PlacedViolation[]> {
    if (constraint.checkAll !== undefined) return yield* constraint.checkAll(this, checked);
    const found: PlacedViolation[] = [];
    for (const [at, one] of checked.entries())
      for (const violation of yield* constraint.check!(this, one)) found.push({ at, ...violation });
    return found;
  }

  /** The nodes that conform to a shape. */
  *conforming(shape: Shape, nodes: Iterable<number>): Steps<ReadonlySet<number>> {
    if (shape.deactivated) return new Set(nodes);
    const found = new Set<number>();
    if (shape.recursion === 'none') {
      for (const batch of batchesOf(nodes)) for (const node of yield* this.#conformingOf(shape, batch)) found.add(node);
      return found;
    }
    // What is assumed of one node must not hold for those beside it.
    for (const node of nodes) if (yield* this.#conforms(shape, node)) found.add(node);
    return found;
  }

  #conforms(shape: Shape, node: number): Steps<boolean> {
    const alone = function* (this: Validation): Steps<boolean> {
      return (yield* this.#conformingOf(shape, [node])).length > 0;
    };
    return this.#recursion.conforms(shape, node, alone.bind(this));
  }

  *#conformingOf(shape: Shape, nodes: readonly number[]): Steps<readonly number[]> {
    let left = yield* this.#checked(shape, nodes);
    for (const constraint of shape.constraints) {
      if (left.length === 0) break;
      const violations = yield* this.#violations(constraint, left);
      if (violations.length === 0) continue;
      const failed = new Set(violations.map(({ at }) => at));
      left = left.filter((_, at) => !failed.has(at));
    }
    for (const property of shape.properties) {
      if (left.length === 0) break;
      const all = new Set(left.flatMap(({ values }) => values));
      const conforming = yield* this.conforming(property, all);
      left = left.filter(({ values }) => values.every((value) => conforming.has(value)));
    }
    return left.map(({ focus }) => focus);
  }

  /** Validates nodes against a shape. Ends early when the results are full. */
  *validate(shape: Shape, nodes: Iterable<number>, results: Results): Steps<void> {
    if (shape.deactivated) return;
    if (shape.recursion === 'none') {
      for (const batch of batchesOf(nodes)) {
        yield* this.#validate(shape, batch, results);
        if (results.isFull) return;
      }
      return;
    }
    for (const node of nodes) {
      if (this.#recursion.isOpen(shape, node) || (yield* this.#conforms(shape, node))) continue;
      yield* this.#recursion.during(shape, node, () => this.#validate(shape, [node], results));
      if (results.isFull) return;
    }
  }

  *#validate(shape: Shape, nodes: readonly number[], results: Results): Steps<void> {
    const checked = yield* this.#checked(shape, nodes);
    for (const constraint of shape.constraints) {
      for (const violation of yield* this.#violations(constraint, checked)) {
        yield* results.add(this.data, { shape, focus: checked[violation.at]!.focus, constraint, violation });
        if (results.isFull) return;
      }
    }
    for (const property of shape.properties) {
      yield* this.validate(
        property,
        checked.flatMap(({ values }) => values),
        results,
      );
      if (results.isFull) return;
    }
  }
}

export function* batchesOf(nodes: Iterable<number>): Generator<readonly number[]> {
  let batch: number[] = [];
  for (const node of nodes) {
    batch.push(node);
    if (batch.length < NODES_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
