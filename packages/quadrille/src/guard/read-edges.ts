/**
 * The edges of many nodes. The index has those of a node beside each other, and nodes that come together often stand together: so it is
 * read along the nodes, until what lies between them is too much. Then each node is looked for.
 */
import type { Candidate, Snapshot } from '@quadrille/core';
import type { NodeLists, Steps } from '@quadrille/shacl';

/** Rows that are read for each node: looking for one takes so much longer. */
const ROWS_FOR_EACH = 64;
/** Fewer are looked for: decoding a block takes longer. */
const MANY_NODES = 16;
const MISS = -1;

/** What edges are read of. */
export interface EdgesWanted {
  /** In ascending order, each once. */
  readonly nodes: readonly number[];
  readonly predicates: readonly number[];
  /** Whether the nodes are objects. */
  readonly back: boolean;
}

/** A source of edges. */
export interface EdgeSource {
  readonly reads: Candidate | Snapshot;
  /** A graph that is no part of the data. */
  readonly apart: number;
  pause(): Promise<void> | undefined;
  /** The nodes behind one node. */
  seek(node: number, predicate: number): Steps<readonly number[]>;
}

/** Lists that are read at the same time. */
class Growing implements NodeLists {
  readonly values: number[] = [];
  readonly ends: number[] = [];
  last = 0;

  constructor(readonly predicate: number) {}

  add(value: number): void {
    // Rows are sorted: the same triple of several graphs stands together.
    if (value === this.last) return;
    this.last = value;
    this.values.push(value);
  }

  end(): void {
    this.ends.push(this.values.length);
    this.last = 0;
  }
}

/** Reads along the nodes, then looks for those that are left. */
export function* readEdges(source: EdgeSource, wanted: EdgesWanted): Steps<readonly NodeLists[]> {
  const lists = wanted.predicates.map((predicate) => new Growing(predicate));
  const { nodes } = wanted;
  let at = nodes.length >= MANY_NODES ? yield* readAlong(source, wanted, lists) : 0;
  for (const list of lists) list.values.length = at === 0 ? 0 : list.ends[at - 1]!;
  for (; at < nodes.length; at++) {
    for (const list of lists) {
      for (const value of yield* source.seek(nodes[at]!, list.predicate)) list.values.push(value);
      list.end();
    }
    const pause = source.pause();
    if (pause !== undefined) yield pause;
  }
  return lists;
}

/** Returns the number of nodes whose lists are read. */
function* readAlong(source: EdgeSource, { nodes, back }: EdgesWanted, lists: readonly Growing[]): Steps<number> {
  const byPredicate = new Map(lists.map((list) => [list.predicate, list]));
  const [least, greatest] = [nodes[0]!, nodes.at(-1)!];
  const pattern = { s: 0, p: back ? lists[0]!.predicate : 0, o: 0, g: 0 };
  const scan = source.reads.scanQuads(pattern, { order: back ? 'posg' : 'spog', least, greatest });
  let left = ROWS_FOR_EACH * nodes.length;
  let at = 0;
  let node = least;
  try {
    for (;;) {
      const rows = scan.next();
      if (rows === MISS) {
        yield scan.fetch();
        continue;
      }
      if (rows === 0) break;
      const { s, p, o, g, start, end } = scan;
      const [keys, values] = back ? [o, s] : [s, o];
      for (let i = start; i < end; i++) {
        const key = keys[i]!;
        if (key < node || g[i] === source.apart) continue;
        for (; node < key; node = nodes[at]!) {
          for (const list of lists) list.end();
          if (++at === nodes.length) return at;
        }
        if (key === node) byPredicate.get(p[i]!)?.add(values[i]!);
      }
      if ((left -= rows) < 0) return at;
      const pause = source.pause();
      if (pause !== undefined) yield pause;
    }
  } finally {
    scan.close();
  }
  for (; at < nodes.length; at++) for (const list of lists) list.end();
  return at;
}
