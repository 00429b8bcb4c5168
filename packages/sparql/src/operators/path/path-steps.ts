/** Property paths as functions from sets of nodes to sets of nodes, in both directions. */
import type * as RDF from '@rdfjs/types';
import type { PropertyPath } from '../../algebra/algebra.js';
import { IdSet } from '../../execute/table/id-set.js';
import type { Execution } from '../../execute/core/operator.js';
import { ANY_EDGE, type EdgeKind, type PathEdges } from './path-edges.js';
import { MISS } from '../../dataset/id-dataset.js';
import type { Waiting } from '../../execute/core/waiting.js';

/** Nodes that a search expands between two checks for its end. */
const NODES_AT_ONCE = 256;

/** A path whose constants have ids. */
export type PathStep =
  | { readonly type: 'edge'; readonly kind: EdgeKind }
  /** No edge can match: its predicate is not in the dataset. */
  | { readonly type: 'nothing' }
  | { readonly type: 'inverse'; readonly inner: PathStep }
  | { readonly type: 'sequence' | 'alternative'; readonly inner: readonly PathStep[] }
  | { readonly type: 'closure'; readonly inner: PathStep; readonly kind: ClosureKind };

export type ClosureKind = 'ZeroOrMorePath' | 'OneOrMorePath' | 'ZeroOrOnePath';

export const hasZeroLength = (kind: ClosureKind): boolean => kind !== 'OneOrMorePath';

/** Looks up the predicates of a path. */
export function* resolvePath(path: PropertyPath, execution: Execution): Waiting<PathStep> {
  switch (path.type) {
    case 'link': {
      const predicate = yield* idOf(path.iri, execution);
      return predicate === 0 ? { type: 'nothing' } : { type: 'edge', kind: { predicate, excluded: undefined } };
    }
    case 'nps': {
      const excluded = new Set<number>();
      for (const iri of path.iris) excluded.add(yield* idOf(iri, execution));
      return { type: 'edge', kind: { predicate: 0, excluded } };
    }
    case 'inv':
      return { type: 'inverse', inner: yield* resolvePath(path.path, execution) };
    case 'seq':
    case 'alt': {
      const inner: PathStep[] = [];
      for (const part of path.input) inner.push(yield* resolvePath(part, execution));
      return { type: path.type === 'seq' ? 'sequence' : 'alternative', inner };
    }
    default:
      return { type: 'closure', kind: path.type, inner: yield* resolvePath(path.path, execution) };
  }
}

/** 0 where the dataset does not have the term. */
function* idOf(term: RDF.NamedNode, { terms, resolve }: Execution): Waiting<number> {
  const resolved = resolve(term);
  const id = terms.tryTerm(resolved, false);
  return id === MISS ? ((yield terms.find(resolved)) as number) : id;
}

export class PathSearch {
  constructor(
    private readonly edges: PathEdges,
    private readonly execution: Execution,
  ) {}

  /** Puts the nodes in that a path joins with nodes `start … end` of a set, seen from there `forward` or against it. */
  expand(
    step: PathStep,
    nodes: IdSet,
    start: number,
    end: number,
    forward: boolean,
    into: IdSet,
  ): Promise<void> | undefined {
    switch (step.type) {
      case 'edge':
        return this.edges.expand(nodes, start, end, step.kind, forward, into);
      case 'inverse':
        return this.expand(step.inner, nodes, start, end, !forward, into);
      case 'alternative':
        return this.#expandAlternative(step.inner, nodes, start, end, forward, into);
      case 'sequence':
        return this.#expandSequence(forward ? step.inner : step.inner.toReversed(), nodes, start, end, forward, into);
      case 'closure':
        return this.#expandClosure(step, nodes, start, end, forward, into);
      default:
        return undefined;
    }
  }

  async #expandAlternative(
    steps: readonly PathStep[],
    nodes: IdSet,
    start: number,
    end: number,
    forward: boolean,
    into: IdSet,
  ): Promise<void> {
    for (const step of steps) await this.expand(step, nodes, start, end, forward, into);
  }

  async #expandSequence(
    steps: readonly PathStep[],
    nodes: IdSet,
    start: number,
    end: number,
    forward: boolean,
    into: IdSet,
  ): Promise<void> {
    const last = steps.at(-1)!;
    const between: IdSet[] = [];
    let [from, first, after] = [nodes, start, end];
    for (const step of steps.slice(0, -1)) {
      const reached = new IdSet(this.execution.memory);
      between.push(reached);
      await this.expand(step, from, first, after, forward, reached);
      [from, first, after] = [reached, 0, reached.size];
    }
    await this.expand(last, from, first, after, forward, into);
    for (const set of between) set.free();
  }

  async #expandClosure(
    { inner, kind }: Extract<PathStep, { type: 'closure' }>,
    nodes: IdSet,
    start: number,
    end: number,
    forward: boolean,
    into: IdSet,
  ): Promise<void> {
    const reached = new IdSet(this.execution.memory);
    if (hasZeroLength(kind)) for (let i = start; i < end; i++) reached.add(nodes.ids[i]!);
    else await this.expand(inner, nodes, start, end, forward, reached);
    if (kind === 'ZeroOrOnePath') await this.expand(inner, nodes, start, end, forward, reached);
    else await this.close(inner, forward, reached);
    for (let i = 0; i < reached.size; i++) into.add(reached.ids[i]!);
    reached.free();
  }

  /** Adds to a set what can be reached from it. */
  close(step: PathStep, forward: boolean, reached: IdSet, from = 0): Promise<void> | undefined {
    for (let start = from; start < reached.size;) {
      const end = Math.min(start + NODES_AT_ONCE, reached.size);
      const wait = this.expand(step, reached, start, end, forward, reached);
      if (wait !== undefined) return wait.then(() => this.close(step, forward, reached, end));
      start = end;
    }
    return undefined;
  }

  /**
   * Whether a node that can be reached from those of `from` leads to one of `to`, which may be the node itself. Both sets grow, the one with
   * fewer nodes to go on from first.
   */
  meet(step: PathStep, from: IdSet, to: IdSet): boolean | Promise<boolean> {
    return haveCommon(from, 0, to) || this.#meetLater(step, from, to, 0, 0);
  }

  /** As {@link meet}, for sets without a common node. `fromDone` and `toDone`: how many nodes of each were expanded. */
  #meetLater(step: PathStep, from: IdSet, to: IdSet, fromDone: number, toDone: number): boolean | Promise<boolean> {
    let [done, leading] = [fromDone, toDone];
    while (done < from.size && leading < to.size) {
      const forward = from.size - done <= to.size - leading;
      const [nodes, others, start] = forward ? [from, to, done] : [to, from, leading];
      const before = nodes.size;
      const end = Math.min(start + NODES_AT_ONCE, before);
      if (forward) done = end;
      else leading = end;
      const [nextDone, nextLeading] = [done, leading];
      const wait = this.expand(step, nodes, start, end, forward, nodes);
      if (wait !== undefined) {
        return wait.then(
          () => haveCommon(nodes, before, others) || this.#meetLater(step, from, to, nextDone, nextLeading),
        );
      }
      if (haveCommon(nodes, before, others)) return true;
    }
    return false;
  }

  /** Puts in, perhaps among others, all nodes from which a path leads anywhere. */
  async starts(step: PathStep, forward: boolean, into: IdSet): Promise<void> {
    switch (step.type) {
      case 'edge':
        return this.edges.starts(step.kind, forward, into);
      case 'inverse':
        return this.starts(step.inner, !forward, into);
      case 'alternative':
        for (const part of step.inner) await this.starts(part, forward, into);
        return;
      case 'sequence':
        return this.starts(step.inner.at(forward ? 0 : -1)!, forward, into);
      case 'closure':
        return hasZeroLength(step.kind) ? this.allNodes(into) : this.starts(step.inner, forward, into);
      default:
    }
  }

  /** Puts every subject and object in. */
  async allNodes(into: IdSet): Promise<void> {
    await this.edges.starts(ANY_EDGE, true, into);
    await this.edges.starts(ANY_EDGE, false, into);
  }
}

/** Whether one of the ids that a set has from its place `start` on is in another one. */
function haveCommon(some: IdSet, start: number, others: IdSet): boolean {
  for (let i = start; i < some.size; i++) if (others.has(some.ids[i]!)) return true;
  return false;
}
