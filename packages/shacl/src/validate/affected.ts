/**
 * The focus nodes that a change can affect. A shape reads paths from its focus nodes; a node is affected if such a walk can pass a triple
 * that was added or removed. Walks are followed back in the new state: where a removed triple has cut a walk, that triple is itself
 * a triple of the change, and the part before it is still there. Where a query reads triples that hang on no node, a change of such a
 * triple affects all focus nodes.
 */
import type { ShapesGraph } from '../shapes/parse-shapes.js';
import type { BoundTerm, Path, Triple } from '../shapes/paths.js';
import { followAll, passing, predicatesOf } from '../shapes/paths.js';
import type { Shape, Touched } from '../shapes/shape.js';
import type { Steps } from '../steps.js';
import type { Validation } from './validation.js';
import { focusNodesAmong } from './targets.js';

/** What a shape reads by itself, without the shapes that it asks. */
interface Reads {
  readonly shape: Shape;
  /** Paths from a focus node, with those of its targets. */
  readonly paths: readonly Path[];
  /** Whether all edges of the value nodes are read. */
  readonly edges: boolean;
  /** What is read for all focus nodes. */
  readonly forAll: readonly Touched[];
}

interface Parent {
  readonly shape: Shape;
  /** From its focus nodes to the nodes at which it evaluates the other one; `undefined` if these are the same. */
  readonly path: Path | undefined;
}

/** Nodes that are kept. If a change affects more, all nodes are validated. */
const MOST_AFFECTED = 1_000_000;

/** What a change affects. */
export interface AffectedNodes {
  /** Shapes all of whose focus nodes are affected. */
  readonly whole: readonly Shape[];
  /** The affected focus nodes of other shapes. */
  readonly nodes: ReadonlyMap<Shape, ReadonlySet<number>>;
}

/** Finds the focus nodes that triples affect. */
export class Affected {
  readonly #reads: readonly Reads[];
  /** The shapes that evaluate a shape at nodes behind their focus nodes. */
  readonly #parents = new Map<Shape, Parent[]>();
  /** What reads a predicate, by its number; what may read any. */
  #byPredicate: ReadonlyMap<number, readonly Reads[]> | undefined;
  readonly #open: readonly Reads[];

  constructor({ shapes, typePath }: ShapesGraph) {
    const active = shapes.filter(({ deactivated }) => !deactivated);
    this.#reads = active.map((shape) => readsOf(shape, typePath));
    for (const shape of active) {
      for (const one of shape.properties) this.#noteParent(one, shape, shape.path);
      for (const { shapes: asked = [], toNodes = shape.path } of shape.constraints)
        for (const one of asked) this.#noteParent(one, shape, toNodes);
    }
    this.#open = this.#reads.filter(
      ({ paths, edges, forAll }) =>
        edges || paths.some(endsAnywhere) || forAll.some(({ predicate }) => predicate === undefined),
    );
  }

  #noteParent(inner: Shape, shape: Shape, path: Path | undefined): void {
    const parents = this.#parents.get(inner);
    if (parents === undefined) this.#parents.set(inner, [{ shape, path }]);
    else if (!parents.some((known) => known.shape === shape && known.path === path)) parents.push({ shape, path });
  }

  /** Call it after the numbers of terms have changed. */
  forget(): void {
    this.#byPredicate = undefined;
  }

  #readers(predicate: number): Iterable<Reads> {
    this.#byPredicate ??= byPredicate(this.#reads);
    const found = this.#byPredicate.get(predicate) ?? [];
    return this.#open.length === 0 ? found : new Set([...found, ...this.#open]);
  }

  /** `undefined` if triples affect too many nodes. */
  *by(validation: Validation, triples: Iterable<Triple>): Steps<AffectedNodes | undefined> {
    const found = new Map<Shape, Set<number>>();
    const whole = new Set<Shape>();
    const open: (readonly [shape: Shape, node: number])[] = [];
    let count = 0;
    const note = (shape: Shape, node: number): void => {
      if (whole.has(shape)) return;
      let nodes = found.get(shape);
      if (nodes === undefined) found.set(shape, (nodes = new Set()));
      if (nodes.has(node)) return;
      nodes.add(node);
      count++;
      open.push([shape, node]);
    };
    for (const triple of triples) {
      for (const reads of this.#readers(triple.p)) {
        if (reads.forAll.some((touched) => isTouched(touched, triple))) this.#noteWhole(reads.shape, whole);
        for (const node of yield* nodesOf(validation, reads, triple)) note(reads.shape, node);
      }
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const [shape, node] = next;
        for (const { shape: parent, path } of this.#parents.get(shape) ?? []) {
          const back = path === undefined ? [node] : yield* followAll(validation.data, [path], [node], true);
          for (const one of back) note(parent, one);
        }
        if (count > MOST_AFFECTED) return undefined;
      }
      yield* validation.rest();
    }
    const nodes = new Map<Shape, ReadonlySet<number>>();
    for (const [shape, some] of found)
      if (shape.targets.length > 0 && !whole.has(shape))
        nodes.set(shape, yield* focusNodesAmong(validation, shape, some));
    return { whole: [...whole].filter(({ targets }) => targets.length > 0), nodes };
  }

  #noteWhole(shape: Shape, whole: Set<Shape>): void {
    const open = [shape];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (whole.has(one)) continue;
      whole.add(one);
      for (const parent of this.#parents.get(one) ?? []) open.push(parent.shape);
    }
  }
}

const joined = (paths: readonly Path[]): Path => (paths.length === 1 ? paths[0]! : { kind: 'sequence', paths });

function readsOf(shape: Shape, typePath: Path): Reads {
  const own = shape.path === undefined ? [] : [shape.path];
  const paths = [...own, ...targetPaths(shape, typePath)];
  const forAll: Touched[] = [];
  let edges = false;
  for (const constraint of shape.constraints) {
    const { fromFocus = [], fromValues = [], readsEdges = false } = constraint;
    paths.push(...fromFocus, ...fromValues.map((path) => joined([...own, path])));
    forAll.push(...(constraint.forAll ?? []));
    edges ||= readsEdges;
  }
  for (const target of shape.targets) if (target.kind === 'query') forAll.push(...target.reads.forAll);
  return { shape, paths, edges, forAll };
}

/** What decides whether a node is a focus node. */
function targetPaths({ targets }: Shape, typePath: Path): readonly Path[] {
  return targets.flatMap((target): readonly Path[] => {
    if (target.kind === 'class') return [typePath];
    if (target.kind === 'subjectsOf') return [{ kind: 'predicate', predicate: target.predicate }];
    if (target.kind === 'objectsOf')
      return [{ kind: 'inverse', path: { kind: 'predicate', predicate: target.predicate } }];
    return target.kind === 'query' ? target.reads.fromFocus : [];
  });
}

function byPredicate(reads: readonly Reads[]): Map<number, readonly Reads[]> {
  const found = new Map<number, Reads[]>();
  const note = (predicate: BoundTerm, one: Reads): void => {
    const list = found.get(predicate.id);
    if (list === undefined) found.set(predicate.id, [one]);
    else if (list.at(-1) !== one) list.push(one);
  };
  for (const one of reads) {
    for (const path of one.paths) for (const predicate of predicatesOf(path)) note(predicate, one);
    for (const { predicate } of one.forAll) if (predicate !== undefined) note(predicate, one);
  }
  return found;
}

function* nodesOf(validation: Validation, { shape, paths, edges }: Reads, triple: Triple): Steps<readonly number[]> {
  const { data } = validation;
  const found = new Set<number>();
  for (const path of paths) for (const node of yield* passing(data, path, triple)) found.add(node);
  if (edges) {
    const own = shape.path === undefined ? [] : [shape.path];
    for (const node of yield* followAll(data, own, [triple.s], true)) found.add(node);
  }
  return [...found];
}

const isTouched = ({ subject, predicate, object }: Touched, { s, p, o }: Triple): boolean =>
  (subject === undefined || subject.id === s) &&
  (predicate === undefined || predicate.id === p) &&
  (object === undefined || object.id === o);

/** Whether any edge at the end of a path is read. */
const endsAnywhere = (path: Path): boolean =>
  path.kind === 'any' ||
  ((path.kind === 'sequence' || path.kind === 'alternative') && path.paths.some(endsAnywhere)) ||
  ((path.kind === 'inverse' || path.kind === 'repeat') && endsAnywhere(path.path));
