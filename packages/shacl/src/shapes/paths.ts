/** Property paths, and the nodes that they lead to. */
import type * as RDF from '@rdfjs/types';
import type { ShapesData } from '../data/shapes-data.js';
import type { Steps } from '../steps.js';
import { addNodes, checkSize } from './node-set.js';

/** A term of the shapes, and its number in the data that they are bound to: 0 if the data do not have it. */
export interface BoundTerm {
  readonly term: RDF.Term;
  id: number;
}

export type Path =
  | { readonly kind: 'predicate'; readonly predicate: BoundTerm }
  /** Any edge. It is no path of SHACL: a query may read such an edge at the end of a path. */
  | { readonly kind: 'any' }
  /** From a node to the reifiers of its triples with a predicate. It is no path of SHACL either: a reifier shape reads it. */
  | Reifiers
  | { readonly kind: 'inverse'; readonly path: Path }
  | { readonly kind: 'sequence'; readonly paths: readonly Path[] }
  | { readonly kind: 'alternative'; readonly paths: readonly Path[] }
  | { readonly kind: 'repeat'; readonly path: Path; readonly least: 0 | 1; readonly many: boolean };

export interface Reifiers {
  readonly kind: 'reifiers';
  readonly predicate: BoundTerm;
  /** `rdf:reifies`. */
  readonly reifies: BoundTerm;
}

const NONE: readonly number[] = [];

/** The nodes that the path leads to, each once. With `back` those that lead to the node. */
export function* follow(data: ShapesData, path: Path, node: number, back = false): Steps<readonly number[]> {
  switch (path.kind) {
    case 'predicate': {
      const { id } = path.predicate;
      if (id === 0) return NONE;
      return back ? yield* data.subjects(id, node) : yield* data.objects(node, id);
    }
    case 'any':
      throw new Error('nothing is followed beyond any edge');
    case 'reifiers':
      return yield* back ? reified(data, path, node) : reifiers(data, path, node);
    case 'inverse':
      return yield* follow(data, path.path, node, !back);
    case 'sequence':
      return yield* followAll(data, back ? path.paths.toReversed() : path.paths, [node], back);
    case 'alternative': {
      const found = new Set<number>();
      for (const one of path.paths) addNodes(found, yield* follow(data, one, node, back));
      return [...found];
    }
    case 'repeat':
      return yield* repeat(data, path, node, back);
  }
}

/** The reifiers of one triple. */
export function* reifiersOf(
  data: ShapesData,
  { predicate, reifies }: Reifiers,
  subject: number,
  object: number,
): Steps<readonly number[]> {
  const term = reifies.id === 0 ? 0 : yield* data.triple(subject, predicate.id, object);
  return term === 0 ? NONE : yield* data.subjects(reifies.id, term);
}

function* reifiers(data: ShapesData, path: Reifiers, node: number): Steps<readonly number[]> {
  if (path.predicate.id === 0) return NONE;
  const found = new Set<number>();
  for (const value of yield* data.objects(node, path.predicate.id))
    addNodes(found, yield* reifiersOf(data, path, node, value));
  return [...found];
}

/** The subjects of the triples with the predicate that a node reifies. */
function* reified(data: ShapesData, path: Reifiers, node: number): Steps<readonly number[]> {
  if (path.reifies.id === 0) return NONE;
  const found = new Set<number>();
  for (const term of yield* data.objects(node, path.reifies.id)) addNodes(found, yield* subjectOf(data, path, term));
  return [...found];
}

/** The subject of a triple term with the predicate, as a list of one; none where the term is another one. */
function* subjectOf(data: ShapesData, { predicate }: Reifiers, node: number): Steps<readonly number[]> {
  const type = data.tryType(node);
  if (type !== undefined && type !== 'Quad') return NONE;
  const term = yield* data.term(node);
  if (term.termType !== 'Quad' || !term.predicate.equals(predicate.term)) return NONE;
  return [yield* data.find(term.subject)];
}

/** Follows one path after the other, from several nodes. */
export function* followAll(
  data: ShapesData,
  paths: readonly Path[],
  from: readonly number[],
  back: boolean,
): Steps<readonly number[]> {
  let nodes = from;
  for (const path of paths) {
    if (nodes.length === 0) return nodes;
    if (nodes.length === 1) {
      nodes = yield* follow(data, path, nodes[0]!, back);
      continue;
    }
    const found = new Set<number>();
    for (const node of nodes) {
      addNodes(found, yield* follow(data, path, node, back));
      const pause = data.pause();
      if (pause !== undefined) yield pause;
    }
    nodes = [...found];
  }
  return nodes;
}

function* repeat(
  data: ShapesData,
  { path, least, many }: Path & { kind: 'repeat' },
  start: number,
  back: boolean,
): Steps<readonly number[]> {
  const found = new Set<number>(least === 0 ? [start] : []);
  const open = [start];
  for (let at = 0; at < open.length; at++) {
    for (const next of yield* follow(data, path, open[at]!, back)) {
      if (next !== start && found.has(next)) continue;
      const isNew = !found.has(next);
      found.add(next);
      if (many && isNew && next !== start) open.push(next);
    }
    checkSize(found);
    const pause = data.pause();
    if (pause !== undefined) yield pause;
  }
  return [...found];
}

/** The nodes from which a walk along the path can pass the triple, each once. */
export function* passing(data: ShapesData, path: Path, triple: Triple, back = false): Steps<readonly number[]> {
  switch (path.kind) {
    case 'predicate':
      if (path.predicate.id !== triple.p) return NONE;
      return [back ? triple.o : triple.s];
    case 'any':
      return [back ? triple.o : triple.s];
    case 'reifiers': {
      const { s, p, o } = triple;
      const found = new Set<number>();
      if (p === path.reifies.id && p !== 0) addNodes(found, back ? [s] : yield* subjectOf(data, path, o));
      if (p === path.predicate.id && p !== 0) addNodes(found, back ? yield* reifiersOf(data, path, s, o) : [s]);
      return [...found];
    }
    case 'inverse':
      return yield* passing(data, path.path, triple, !back);
    case 'alternative': {
      const found = new Set<number>();
      for (const one of path.paths) addNodes(found, yield* passing(data, one, triple, back));
      return [...found];
    }
    case 'sequence': {
      const paths = back ? path.paths.toReversed() : path.paths;
      const found = new Set<number>();
      for (const [i, one] of paths.entries()) {
        const nodes = yield* passing(data, one, triple, back);
        // From there back to where the walk has begun.
        const begun = yield* followAll(data, paths.slice(0, i).toReversed(), nodes, !back);
        addNodes(found, begun);
      }
      return [...found];
    }
    case 'repeat': {
      const nodes = yield* passing(data, path.path, triple, back);
      if (!path.many) return nodes;
      const any: Path = { kind: 'repeat', path: path.path, least: 0, many: true };
      return yield* followAll(data, [any], nodes, !back);
    }
  }
}

/** A triple that was added or removed, by the numbers of its terms. */
export interface Triple {
  /** The subject. */
  readonly s: number;
  /** The predicate. */
  readonly p: number;
  /** The object. */
  readonly o: number;
}

/** The predicates of a path. */
export function* predicatesOf(path: Path): Generator<BoundTerm> {
  if (path.kind === 'predicate') yield path.predicate;
  else if (path.kind === 'reifiers') yield* [path.predicate, path.reifies];
  else if (path.kind === 'any') return;
  else if ('path' in path) yield* predicatesOf(path.path);
  else for (const one of path.paths) yield* predicatesOf(one);
}
