/** Single steps of property paths, read from the indexes: from nodes to their neighbours, and all nodes that have any. */
import { DEFAULT_GRAPH } from '@quadrille/model';
import { MISS, type IdPattern, type IdScan, type IdSeeker } from '../../dataset/id-dataset.js';
import type { PatternGraph } from '../../plan/plan.js';
import { resolveGraph, type ResolvedGraph } from '../scan/graphs.js';
import type { IdSet } from '../../execute/table/id-set.js';
import { PathAdjacency } from './path-adjacency.js';
import type { Execution } from '../../execute/core/operator.js';

/** Rows that are read before the event loop may get its turn. */
const ROWS_PER_CHECKPOINT = 2048;

/** Which edges count: those with this predicate, or for 0 those with none of `excluded`. */
export interface EdgeKind {
  readonly predicate: number;
  readonly excluded: ReadonlySet<number> | undefined;
}

export const ANY_EDGE: EdgeKind = { predicate: 0, excluded: undefined };

export class PathEdges {
  #graph: ResolvedGraph;
  readonly #graphs: ResolvedGraph;
  readonly #seekers = new Map<number, IdSeeker>();
  #scan: IdScan | undefined;
  #unchecked = 0;
  /** Whether more searches than one are made. */
  repeats = false;
  readonly #adjacencies = {
    forward: new Map<EdgeKind, PathAdjacency>(),
    backward: new Map<EdgeKind, PathAdjacency>(),
  };

  constructor(
    graph: PatternGraph,
    private readonly execution: Execution,
  ) {
    this.#graph = this.#graphs = resolveGraph(graph, execution);
  }

  /** From now on edges are those of this graph. What was read before is forgotten. */
  enter(id: number): void {
    const { visible, accepts } = this.#graphs;
    const isVisible = visible && id !== DEFAULT_GRAPH && accepts?.(id) !== false;
    this.#graph = { id, accepts: undefined, unique: false, visible: isVisible };
    this.#forget();
  }

  /**
   * Puts the nodes in that edges lead to from nodes `start … end` of a set, or that lead there if not `forward`. A promise only
   * where something has to be fetched or the event loop is due: most searches read a few nodes that are in memory.
   */
  expand(
    nodes: IdSet,
    start: number,
    end: number,
    kind: EdgeKind,
    forward: boolean,
    into: IdSet,
  ): Promise<void> | undefined {
    if (!this.#graph.visible) return undefined;
    const known = this.#known(kind, forward);
    const seeker = this.#seeker(kind.predicate !== 0, forward);
    for (let i = start; i < end; i++) {
      const resume = (): Promise<void> | undefined => this.expand(nodes, i, end, kind, forward, into);
      if (this.#unchecked >= ROWS_PER_CHECKPOINT) return this.#pause(undefined).then(resume);
      const copied = known === undefined ? -1 : known.copy(nodes, i, into);
      this.#unchecked += 1 + Math.max(copied, 0);
      if (copied !== -1) continue;
      const node = nodes.ids[i]!;
      if (forward) seeker.seek(node, kind.predicate, 0, this.#graph.id);
      else seeker.seek(0, kind.predicate, node, this.#graph.id);
      const keeps = known?.isFull === false ? known : undefined;
      const position = forward ? 'o' : 's';
      if (!this.#drain(seeker, kind, position, into, keeps)) {
        return this.#drainRest(seeker, kind, position, into, keeps).then(() => {
          keeps?.finish(nodes, i);
          return this.expand(nodes, i + 1, end, kind, forward, into);
        });
      }
      keeps?.finish(nodes, i);
    }
    return undefined;
  }

  async #drainRest(
    seeker: IdSeeker,
    kind: EdgeKind,
    position: 's' | 'o',
    into: IdSet,
    keeps: PathAdjacency | undefined,
  ): Promise<void> {
    do await this.#pause(seeker);
    while (!this.#drain(seeker, kind, position, into, keeps));
  }

  /** Whether a term is a node of the graph: the subject or object of a quad. */
  async isNode(id: number): Promise<boolean> {
    if (!this.#graph.visible) return false;
    const anything = { p: 0, g: this.#graph.id };
    return (await this.#hasQuad({ ...anything, s: id, o: 0 })) || this.#hasQuad({ ...anything, s: 0, o: id });
  }

  async #hasQuad(pattern: IdPattern): Promise<boolean> {
    const scan = this.execution.dataset.scan(pattern);
    try {
      for (let rows = scan.next(); rows !== 0; rows = scan.next()) {
        await this.execution.control.checkpoint();
        if (rows === MISS) await scan.fetch();
        else if (this.#anyAccepted(scan)) return true;
      }
      return false;
    } finally {
      scan.close();
    }
  }

  #anyAccepted({ start, end, g }: IdScan): boolean {
    const { accepts } = this.#graph;
    for (let row = start; row < end; row++) if (accepts === undefined || accepts(g[row]!)) return true;
    return false;
  }

  // Neighbours are kept from the second search on: one search reads each node once.
  #known(kind: EdgeKind, forward: boolean): PathAdjacency | undefined {
    if (!this.repeats) return undefined;
    const kinds = forward ? this.#adjacencies.forward : this.#adjacencies.backward;
    let adjacency = kinds.get(kind);
    if (adjacency === undefined) {
      adjacency = new PathAdjacency(this.execution.memory);
      kinds.set(kind, adjacency);
    }
    return adjacency;
  }

  /** Puts all nodes in at which such an edge begins, or ends if not `forward`. */
  async starts(kind: EdgeKind, forward: boolean, into: IdSet): Promise<void> {
    if (!this.#graph.visible) return;
    const scan = this.execution.dataset.scan({ s: 0, p: kind.predicate, o: 0, g: this.#graph.id });
    this.#scan = scan;
    while (!this.#drain(scan, kind, forward ? 's' : 'o', into)) await this.#pause(scan);
    scan.close();
  }

  // Reads windows to the end: true. False where it has to fetch or pause.
  #drain(scan: IdScan, { excluded }: EdgeKind, position: 's' | 'o', into: IdSet, keeps?: PathAdjacency): boolean {
    const { accepts } = this.#graph;
    for (;;) {
      if (this.#unchecked >= ROWS_PER_CHECKPOINT) return false;
      const rows = scan.next();
      if (rows === 0) return true;
      if (rows === MISS) return false;
      this.#unchecked += rows;
      const ids = scan[position];
      for (let row = scan.start; row < scan.end; row++) {
        if (accepts !== undefined && !accepts(scan.g[row]!)) continue;
        if (excluded !== undefined && excluded.has(scan.p[row]!)) continue;
        into.add(ids[row]!);
        if (keeps !== undefined) keeps.push(ids[row]!);
      }
    }
  }

  async #pause(scan: IdScan | undefined): Promise<void> {
    if (this.#unchecked < ROWS_PER_CHECKPOINT) {
      await scan?.fetch();
      this.execution.control.throwIfFailed();
      return;
    }
    this.#unchecked = 0;
    await this.execution.control.checkpoint();
  }

  #seeker(withPredicate: boolean, forward: boolean): IdSeeker {
    const key = (withPredicate ? 2 : 0) + (forward ? 1 : 0);
    let seeker = this.#seekers.get(key);
    if (seeker === undefined) {
      const bound = { s: forward, p: withPredicate, o: !forward, g: this.#graph.id !== 0 };
      seeker = this.execution.dataset.seeker(bound);
      this.#seekers.set(key, seeker);
    }
    return seeker;
  }

  close(): void {
    this.#scan?.close();
    for (const seeker of this.#seekers.values()) seeker.close();
    this.#seekers.clear();
    this.#forget();
  }

  #forget(): void {
    for (const kinds of Object.values(this.#adjacencies)) {
      for (const adjacency of kinds.values()) adjacency.free();
      kinds.clear();
    }
  }
}
