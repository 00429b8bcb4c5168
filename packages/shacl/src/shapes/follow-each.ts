/** Follows a path from many nodes at once. */
import type { NodeLists, ShapesData } from '../data/shapes-data.js';
import type { Steps } from '../steps.js';
import { checkSize } from './node-set.js';
import { follow, type Path } from './paths.js';

/** What reads edges of many nodes. */
export interface EdgeReader {
  readonly data: ShapesData;
  /** The nodes behind the edges of each node. With `back` those before them. Nodes may have any order. */
  edges(nodes: readonly number[], predicate: number, back: boolean): Steps<NodeLists>;
}

/** The nodes that a path leads to from each node, each once. */
export function* followEach(reader: EdgeReader, path: Path, nodes: readonly number[]): Steps<NodeLists> {
  if (nodes.length > 1) {
    if (path.kind === 'predicate') return yield* reader.edges(nodes, path.predicate.id, false);
    if (path.kind === 'inverse' && path.path.kind === 'predicate')
      return yield* reader.edges(nodes, path.path.predicate.id, true);
    if (path.kind === 'sequence') return yield* sequence(reader, path.paths, nodes);
  }
  const [values, ends]: [number[], number[]] = [[], []];
  for (const node of nodes) {
    for (const value of yield* follow(reader.data, path, node)) values.push(value);
    ends.push(values.length);
    const pause = reader.data.pause();
    if (pause !== undefined) yield pause;
  }
  return { values, ends };
}

function* sequence(reader: EdgeReader, paths: readonly Path[], nodes: readonly number[]): Steps<NodeLists> {
  let lists = yield* followEach(reader, paths[0]!, nodes);
  for (const path of paths.slice(1)) {
    const between = sortedNodes(lists.values);
    lists = joined(lists, between, yield* followEach(reader, path, between));
    const pause = reader.data.pause();
    if (pause !== undefined) yield pause;
  }
  return lists;
}

/** Nodes in ascending order, each once. */
export const sortedNodes = (nodes: readonly number[]): readonly number[] =>
  isAscending(nodes) ? nodes : [...new Set(nodes)].sort((x, y) => x - y);

function isAscending(nodes: readonly number[]): boolean {
  for (let i = 1; i < nodes.length; i++) if (nodes[i]! <= nodes[i - 1]!) return false;
  return true;
}

/** The lists of nodes, by those of their values. */
function joined(lists: NodeLists, between: readonly number[], next: NodeLists): NodeLists {
  if (next.values.length === 0) return { values: [], ends: lists.ends.map(() => 0) };
  const places = new Map(between.map((node, at) => [node, at]));
  const [values, ends]: [number[], number[]] = [[], []];
  let i = 0;
  for (const end of lists.ends) {
    const found = end - i > 1 ? new Set<number>() : undefined;
    for (; i < end; i++) {
      const at = places.get(lists.values[i]!)!;
      for (let j = at === 0 ? 0 : next.ends[at - 1]!; j < next.ends[at]!; j++) {
        if (found === undefined) values.push(next.values[j]!);
        else found.add(next.values[j]!);
      }
      if (found !== undefined) checkSize(found);
    }
    if (found !== undefined) for (const value of found) values.push(value);
    ends.push(values.length);
  }
  return { values, ends };
}

/** The lists of nodes in any order, by those of the same nodes in ascending order. */
export function placed(nodes: readonly number[], sorted: readonly number[], lists: NodeLists): NodeLists {
  if (nodes === sorted) return lists;
  const places = new Map(sorted.map((node, at) => [node, at]));
  const [values, ends]: [number[], number[]] = [[], []];
  for (const node of nodes) {
    const at = places.get(node)!;
    for (let i = at === 0 ? 0 : lists.ends[at - 1]!; i < lists.ends[at]!; i++) values.push(lists.values[i]!);
    ends.push(values.length);
  }
  return { values, ends };
}
