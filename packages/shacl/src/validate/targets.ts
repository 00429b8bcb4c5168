/** The focus nodes of shapes. */
import type { Shape, Target } from '../shapes/shape.js';
import { type NodeCursor, ROWS_AT_ONCE } from '../data/shapes-data.js';
import type { ShapesGraph } from '../shapes/parse-shapes.js';
import type { Steps } from '../steps.js';
import { NODES_AT_ONCE, type Validation } from './validation.js';
import type { Results } from './results.js';

/** The nodes that are focus nodes by this target. */
function* targetsOf(validation: Validation, target: Target, nodes: readonly number[]): Steps<readonly number[]> {
  const { data } = validation;
  if (target.kind === 'query') {
    const found = new Set<number>();
    for (let first = 0; first < nodes.length; first += ROWS_AT_ONCE) {
      const rows = nodes.slice(first, first + ROWS_AT_ONCE).map((node) => [node]);
      for (const { row } of yield* data.solutions(target.query, ['this'], rows)) found.add(nodes[first + row]!);
    }
    return [...found];
  }
  if (target.kind === 'class') {
    const instances = yield* validation.instances(nodes, target.class.id);
    return nodes.filter((node) => instances.has(node));
  }
  const found: number[] = [];
  for (const node of nodes) {
    if (yield* isTargetOf(validation, target, node)) found.push(node);
    yield* validation.rest();
  }
  return found;
}

type SimpleTarget = Exclude<Target, { kind: 'query' | 'class' }>;

function* isTargetOf({ data }: Validation, target: SimpleTarget, node: number): Steps<boolean> {
  switch (target.kind) {
    case 'node':
      return target.node.id === node;
    case 'subjectsOf':
      return target.predicate.id !== 0 && (yield* data.has(node, target.predicate.id, 0));
    case 'objectsOf':
      return target.predicate.id !== 0 && (yield* data.has(0, target.predicate.id, node));
  }
}

/** The nodes that are focus nodes of a shape by one of its first `count` targets. */
export function* focusNodesAmong(
  validation: Validation,
  { targets }: Shape,
  nodes: Iterable<number>,
  count = targets.length,
): Steps<ReadonlySet<number>> {
  const found = new Set<number>();
  let left = [...nodes];
  for (const target of targets.slice(0, count)) {
    for (let start = 0; start < left.length; start += NODES_AT_ONCE)
      for (const node of yield* targetsOf(validation, target, left.slice(start, start + NODES_AT_ONCE)))
        found.add(node);
    left = left.filter((node) => !found.has(node));
  }
  return found;
}

/** Validates all focus nodes of all these shapes. */
export function* validateAll(
  validation: Validation,
  { shapes, type }: Pick<ShapesGraph, 'shapes' | 'type'>,
  validate: (shape: Shape, nodes: readonly number[]) => Steps<void>,
  results: Results,
): Steps<void> {
  for (const shape of shapes) {
    if (shape.deactivated) continue;
    for (const [i, target] of shape.targets.entries()) {
      for (const open of yield* openTarget(validation, target, type.id)) {
        const cursor = open();
        try {
          for (;;) {
            const nodes = yield* cursor.next();
            if (nodes.length === 0) break;
            // Others were validated by a target before.
            const before = i === 0 ? undefined : yield* focusNodesAmong(validation, shape, nodes, i);
            yield* validate(shape, before === undefined ? nodes : nodes.filter((node) => !before.has(node)));
            if (results.isFull) return;
          }
        } finally {
          cursor.close();
        }
      }
    }
  }
}

/** The cursors of a target. A node of several classes may come with each of them. */
function* openTarget(validation: Validation, target: Target, type: number): Steps<readonly (() => NodeCursor)[]> {
  const { data } = validation;
  switch (target.kind) {
    case 'node':
      return target.node.id === 0 ? [] : [() => single(target.node.id)];
    case 'class': {
      if (target.class.id === 0 || type === 0) return [];
      const classes = yield* validation.subclasses(target.class.id);
      return classes.map((one, i) => () => instances(validation, type, one, classes.slice(0, i)));
    }
    case 'subjectsOf':
      return target.predicate.id === 0 ? [] : [() => data.openSubjects(target.predicate.id, 0)];
    case 'objectsOf':
      return target.predicate.id === 0 ? [] : [() => data.openObjects(target.predicate.id)];
    case 'query':
      return [() => once(data.openSolutions(target.query, 'this'))];
  }
}

// The instances of a class that have none of the classes before it.
function instances(validation: Validation, type: number, one: number, before: readonly number[]): NodeCursor {
  const cursor = validation.data.openSubjects(type, one);
  if (before.length === 0) return cursor;
  const earlier = new Set(before);
  return only(cursor, function* (nodes) {
    const { values, ends } = yield* validation.edges(nodes, type, false);
    return nodes.filter((_, at) => {
      for (let i = at === 0 ? 0 : ends[at - 1]!; i < ends[at]!; i++) if (earlier.has(values[i]!)) return false;
      return true;
    });
  });
}

/** Nodes that are remembered, so that each comes once. Beyond that some may come again. */
const MOST_SEEN = 1_000_000;

function once(cursor: NodeCursor): NodeCursor {
  const seen = new Set<number>();
  return only(cursor, function* (nodes) {
    return nodes.filter((node) => {
      if (seen.has(node)) return false;
      if (seen.size < MOST_SEEN) seen.add(node);
      return true;
    });
  });
}

/** Some of the nodes of a cursor. */
function only(cursor: NodeCursor, some: (nodes: readonly number[]) => Steps<readonly number[]>): NodeCursor {
  return {
    *next() {
      for (;;) {
        const nodes = yield* cursor.next();
        const left = nodes.length === 0 ? nodes : yield* some(nodes);
        if (left.length > 0 || nodes.length === 0) return left;
      }
    },
    close: () => cursor.close(),
  };
}

function single(node: number): NodeCursor {
  let isRead = false;
  return {
    *next() {
      if (isRead) return [];
      isRead = true;
      return [node];
    },
    close: () => undefined,
  };
}
