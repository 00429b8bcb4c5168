/** One validation of a data graph: what conforms to which shape. */
import type * as RDF from '@rdfjs/types';
import type { ShapesData } from '../data/shapes-data.js';
import type { BoundTerm } from '../shapes/paths.js';
import { follow } from '../shapes/paths.js';
import type { Shape, Validating } from '../shapes/shape.js';
import type { Steps } from '../steps.js';
import type { Results } from './results.js';

const NO_SUPERCLASSES: ReadonlySet<number> = new Set();
/** Classes whose superclasses are kept. */
const MOST_CLASSES = 10_000;

export class Validation implements Validating {
  readonly #superclasses = new Map<number, ReadonlySet<number>>();
  readonly #ids = new Map<readonly BoundTerm[], ReadonlySet<number>>();

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

  *values(shape: Shape, focus: number): Steps<readonly number[]> {
    return shape.path === undefined ? [focus] : yield* follow(this.data, shape.path, focus);
  }

  /** Whether a node conforms to a shape. */
  *conforms(shape: Shape, focus: number): Steps<boolean> {
    if (shape.deactivated) return true;
    const values = yield* this.values(shape, focus);
    for (const constraint of shape.constraints)
      if ((yield* constraint.check(this, { focus, values })).length > 0) return false;
    for (const property of shape.properties)
      for (const value of values) if (!(yield* this.conforms(property, value))) return false;
    return true;
  }

  /** Validates a node against a shape. Ends early when the results are full. */
  *validate(shape: Shape, focus: number, results: Results): Steps<void> {
    if (shape.deactivated) return;
    const values = yield* this.values(shape, focus);
    for (const constraint of shape.constraints) {
      for (const violation of yield* constraint.check(this, { focus, values })) {
        yield* results.add(this.data, { shape, focus, component: constraint.component, violation });
        if (results.isFull) return;
      }
    }
    for (const property of shape.properties) {
      for (const value of values) {
        yield* this.validate(property, value, results);
        if (results.isFull) return;
        yield* this.rest();
      }
    }
  }
}
