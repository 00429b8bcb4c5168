/** One validation of a data graph: what conforms to which shape. */
import type * as RDF from '@rdfjs/types';
import type { NodeLists, ShapesData } from '../data/shapes-data.js';
import { Checked, MOST_KEPT_TERMS } from '../shapes/checked.js';
import { type EdgeReader, followEach, placed, sortedNodes } from '../shapes/follow-each.js';
import type { BoundTerm, Path } from '../shapes/paths.js';
import type { Constraint, PlacedViolation, Shape, Validating } from '../shapes/shape.js';
import type { Steps } from '../steps.js';
import type { Costs } from './explain.js';
import { Instances } from './instances.js';
import { Recursion } from './recursion.js';
import type { Results } from './results.js';

/** Focus nodes that are validated together: an index is read along them. */
export const NODES_AT_ONCE = 4000;
/** For so many nodes the edges of all properties of a shape are read together. */
const NODES_TOGETHER = 16;
/** Terms that are read between two looks at the clock. */
const TERMS_AT_ONCE = 256;
/** Terms that are kept from batch to batch. A power of two. */
const RECENT = 1024;

const noLists = (nodes: readonly number[]): NodeLists => ({ values: [], ends: nodes.map(() => 0) });

export class Validation implements Validating, EdgeReader {
  readonly #ids = new Map<readonly BoundTerm[], ReadonlySet<number>>();
  readonly #recursion = new Recursion();
  /** Edges of nodes that several shapes read, by predicate. */
  readonly #edges = new WeakMap<readonly number[], ReadonlyMap<number, NodeLists>>();
  readonly #instances: Instances;
  #recent: RecentTerms | undefined;

  constructor(
    readonly data: ShapesData,
    /** `rdf:type` and `rdfs:subClassOf`. */
    type: BoundTerm,
    subClassOf: BoundTerm,
    /** Where the costs of constraints are noted. */
    private readonly costs?: Costs,
  ) {
    this.#instances = new Instances(this, type, subClassOf);
  }

  term(node: number): Steps<RDF.Term> {
    return this.data.term(node);
  }

  *terms(checked: Checked): Steps<readonly RDF.Term[] | undefined> {
    if (checked.terms !== undefined || checked.values.length > MOST_KEPT_TERMS) return checked.terms;
    const { values } = checked;
    const terms: RDF.Term[] = [];
    const recent = values.length < TERMS_AT_ONCE ? undefined : (this.#recent ??= new RecentTerms());
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      let term = recent?.get(value);
      if (term === undefined) {
        term = this.data.tryTerm(value) ?? (yield* this.data.term(value));
        recent?.set(value, term);
      }
      terms.push(term);
      if (terms.length % TERMS_AT_ONCE === 0) yield* this.rest();
    }
    return (checked.terms = terms);
  }

  /** Gives other work its turn if it has waited long enough. */
  *rest(): Steps<void> {
    const pause = this.data.pause();
    if (pause !== undefined) yield pause;
  }

  *edges(nodes: readonly number[], predicate: number, back: boolean): Steps<NodeLists> {
    if (predicate === 0) return noLists(nodes);
    const known = back ? undefined : this.#edges.get(nodes)?.get(predicate);
    if (known !== undefined) return known;
    const sorted = sortedNodes(nodes);
    const [lists] = yield* this.data.lists(sorted, [predicate], back);
    return placed(nodes, sorted, lists!);
  }

  /** Reads the edges with which the paths of shapes begin, all at once. */
  *#readTogether(shapes: readonly Shape[], nodes: readonly number[]): Steps<void> {
    if (nodes.length < NODES_TOGETHER || nodes.length > NODES_AT_ONCE || shapes.length < 2) return;
    const predicates = new Set<number>();
    for (const { path, deactivated } of shapes) {
      const predicate = deactivated ? 0 : firstOf(path);
      if (predicate !== 0) predicates.add(predicate);
    }
    if (predicates.size < 2) return;
    const sorted = sortedNodes(nodes);
    const lists = yield* this.data.lists(sorted, [...predicates], false);
    this.#edges.set(nodes, new Map([...predicates].map((one, i) => [one, placed(nodes, sorted, lists[i]!)])));
  }

  /** The numbers of a list of terms. */
  idsOf(terms: readonly BoundTerm[]): ReadonlySet<number> {
    let ids = this.#ids.get(terms);
    if (ids === undefined) this.#ids.set(terms, (ids = new Set(terms.map(({ id }) => id))));
    return ids;
  }

  instances(nodes: readonly number[], type: number): Steps<ReadonlySet<number>> {
    return this.#instances.among(nodes, type);
  }

  /** A class and all classes below it. */
  subclasses(type: number): Steps<readonly number[]> {
    return this.#instances.subclasses(type);
  }

  *#checked({ path }: Shape, nodes: readonly number[]): Steps<Checked> {
    if (path === undefined) return Checked.nodes(nodes);
    const { values, ends } = yield* followEach(this, path, nodes);
    yield* this.rest();
    return new Checked(nodes, values, ends);
  }

  *#violations(constraint: Constraint, checked: Checked): Steps<readonly PlacedViolation[]> {
    if (this.costs === undefined) return yield* constraint.check(this, checked);
    const begun = performance.now();
    const violations = yield* constraint.check(this, checked);
    this.costs.add(constraint, checked.length, performance.now() - begun);
    return violations;
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
      if (violations.length > 0) left = left.without(new Set(violations.map(({ at }) => at)));
    }
    let values = sortedNodes(left.values);
    yield* this.#readTogether(shape.properties, values);
    for (const property of shape.properties) {
      if (left.length === 0) break;
      const conforming = yield* this.conforming(property, values);
      if (values.every((value) => conforming.has(value))) continue;
      const failed = left.focus
        .map((_, at) => at)
        .filter((at) => !left.valuesOf(at).every((one) => conforming.has(one)));
      left = left.without(new Set(failed));
      values = sortedNodes(left.values);
    }
    return left.focus;
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
        yield* results.add(this.data, { shape, focus: nodes[violation.at]!, constraint, violation });
        if (results.isFull) return;
      }
    }
    yield* this.#readTogether(shape.properties, checked.values);
    for (const property of shape.properties) {
      yield* this.validate(property, checked.values, results);
      if (results.isFull) return;
    }
  }
}

/** Terms by the last bits of their numbers: numbers, dates and codes come again and again. */
class RecentTerms {
  readonly #nodes = new Float64Array(RECENT);
  readonly #terms: RDF.Term[] = [];

  get(node: number): RDF.Term | undefined {
    const slot = node & (RECENT - 1);
    return this.#nodes[slot] === node ? this.#terms[slot] : undefined;
  }

  set(node: number, term: RDF.Term): void {
    const slot = node & (RECENT - 1);
    this.#nodes[slot] = node;
    this.#terms[slot] = term;
  }
}

/** The predicate of the first edge of a path; 0 if it has not one. */
function firstOf(path: Path | undefined): number {
  if (path?.kind === 'predicate') return path.predicate.id;
  return path?.kind === 'sequence' ? firstOf(path.paths[0]) : 0;
}

export function* batchesOf(nodes: Iterable<number>): Generator<readonly number[]> {
  // What was read of the nodes before is known by the array.
  if (Array.isArray(nodes) && nodes.length <= NODES_AT_ONCE) {
    if (nodes.length > 0) yield nodes as readonly number[];
    return;
  }
  let batch: number[] = [];
  for (const node of nodes) {
    batch.push(node);
    if (batch.length < NODES_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
