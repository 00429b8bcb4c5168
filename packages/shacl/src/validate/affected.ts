/**
 * The focus nodes that a change can affect. A shape reads paths from its focus nodes; a node is affected if such a walk can pass a triple
 * that was added or removed. Walks are followed back in the new state: where a removed triple has cut a walk, that triple is itself
 * a triple of the change, and the part before it is still there.
 */
import type { ShapesGraph } from '../shapes/parse-shapes.js';
import type { BoundTerm, Path, Triple } from '../shapes/paths.js';
import { followAll, passing, predicatesOf } from '../shapes/paths.js';
import type { Shape } from '../shapes/shape.js';
import type { Steps } from '../steps.js';
import type { Validation } from './validation.js';
import { isTarget } from './targets.js';

/** A shape and what it reads. */
interface Reads {
  readonly shape: Shape;
  /** Paths from a focus node, with those of its targets. */
  readonly paths: readonly Path[];
  /** Whether all edges of the value nodes are read. */
  readonly edges: boolean;
  /** Shapes that are evaluated at value nodes. */
  readonly inner: readonly Reads[];
  /** The predicates of it all; `undefined` if any edge may be read. */
  readonly predicates: ReadonlySet<BoundTerm> | undefined;
}

const NONE: readonly number[] = [];

/** Finds the focus nodes that triples affect. */
export class Affected {
  readonly #reads: readonly Reads[];
  readonly #byShape = new Map<Shape, Reads>();

  constructor({ shapes, typePath }: ShapesGraph) {
    const targeted = shapes.filter(({ targets, deactivated }) => targets.length > 0 && !deactivated);
    this.#reads = targeted.map((shape) => withTargets(this.#readsOf(shape), targetPaths(shape, typePath)));
  }

  #readsOf(shape: Shape): Reads {
    let reads = this.#byShape.get(shape);
    if (reads === undefined) this.#byShape.set(shape, (reads = this.#read(shape)));
    return reads;
  }

  #read(shape: Shape): Reads {
    if (shape.deactivated) return { shape, paths: [], edges: false, inner: [], predicates: new Set() };
    const own = shape.path === undefined ? [] : [shape.path];
    const paths = [...own];
    const shapes = new Set(shape.properties);
    let edges = false;
    for (const { fromFocus = [], fromValues = [], readsEdges = false, shapes: asked = [] } of shape.constraints) {
      paths.push(...fromFocus, ...fromValues.map((path) => joined([...own, path])));
      edges ||= readsEdges;
      for (const one of asked) shapes.add(one);
    }
    const inner = Array.from(shapes, (one) => this.#readsOf(one));
    const isOpen = edges || inner.some(({ predicates }) => predicates === undefined);
    const predicates = new Set(paths.flatMap((path) => [...predicatesOf(path)]));
    for (const one of inner) for (const predicate of one.predicates ?? []) predicates.add(predicate);
    return { shape, paths, edges, inner, predicates: isOpen ? undefined : predicates };
  }

  /** The shapes with the focus nodes that a triple affects. */
  *by(validation: Validation, triple: Triple, found: (shape: Shape, node: number) => void): Steps<void> {
    for (const reads of this.#reads) {
      for (const node of yield* nodesOf(validation, reads, triple))
        if (yield* isTarget(validation, reads.shape, node)) found(reads.shape, node);
    }
  }
}

const joined = (paths: readonly Path[]): Path => (paths.length === 1 ? paths[0]! : { kind: 'sequence', paths });

function withTargets(reads: Reads, paths: readonly Path[]): Reads {
  const predicates = reads.predicates && new Set(reads.predicates);
  for (const path of paths) for (const predicate of predicatesOf(path)) predicates?.add(predicate);
  return { ...reads, paths: [...reads.paths, ...paths], predicates };
}

/** What decides whether a node is a focus node. */
function targetPaths({ targets }: Shape, typePath: Path): readonly Path[] {
  const paths: Path[] = [];
  for (const target of targets) {
    if (target.kind === 'class') paths.push(typePath);
    else if (target.kind === 'subjectsOf') paths.push({ kind: 'predicate', predicate: target.predicate });
    else if (target.kind === 'objectsOf')
      paths.push({ kind: 'inverse', path: { kind: 'predicate', predicate: target.predicate } });
  }
  return paths;
}

function* nodesOf(validation: Validation, reads: Reads, triple: Triple): Steps<readonly number[]> {
  if (reads.predicates !== undefined && !has(reads.predicates, triple.p)) return NONE;
  const { data } = validation;
  const { shape, paths, edges, inner } = reads;
  const found = new Set<number>();
  for (const path of paths) for (const node of yield* passing(data, path, triple)) found.add(node);
  const values = new Set<number>(edges ? [triple.s] : NONE);
  for (const one of inner) for (const node of yield* nodesOf(validation, one, triple)) values.add(node);
  const own = shape.path === undefined ? [] : [shape.path];
  for (const node of yield* followAll(data, own, [...values], true)) found.add(node);
  return [...found];
}

function has(predicates: ReadonlySet<BoundTerm>, id: number): boolean {
  for (const predicate of predicates) if (predicate.id === id) return true;
  return false;
}
