/** The focus nodes of shapes. */
import type { Shape, Target } from '../shapes/shape.js';
import type { NodeCursor } from '../data/shapes-data.js';
import type { ShapesGraph } from '../shapes/parse-shapes.js';
import type { Steps } from '../steps.js';
import type { Validation } from './validation.js';
import type { Results } from './results.js';

/** Whether a node is a focus node by this target. */
function* isTargetOf(validation: Validation, target: Target, node: number): Steps<boolean> {
  const { data } = validation;
  switch (target.kind) {
    case 'node':
      return target.node.id === node;
    case 'class':
      return yield* validation.isInstance(node, target.class.id);
    case 'subjectsOf':
      return target.predicate.id !== 0 && (yield* data.has(node, target.predicate.id, 0));
    case 'objectsOf':
      return target.predicate.id !== 0 && (yield* data.has(0, target.predicate.id, node));
  }
}

/** Whether a node is a focus node of a shape by one of its first `targets`. */
export function* isTarget(
  validation: Validation,
  { targets }: Shape,
  node: number,
  count = targets.length,
): Steps<boolean> {
  for (let i = 0; i < count; i++) if (yield* isTargetOf(validation, targets[i]!, node)) return true;
  return false;
}

/** Validates all focus nodes of all shapes. */
export function* validateAll(validation: Validation, { shapes, type }: ShapesGraph, results: Results): Steps<void> {
  for (const shape of shapes) {
    if (shape.deactivated) continue;
    for (const [i, target] of shape.targets.entries()) {
      for (const open of yield* openTarget(validation, target, type.id)) {
        const cursor = open();
        try {
          for (let node = yield* cursor.next(); node !== 0; node = yield* cursor.next()) {
            yield* validation.rest();
            // It was validated by that target.
            if (i > 0 && (yield* isTarget(validation, shape, node, i))) continue;
            yield* validation.validate(shape, node, results);
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
  }
}

// The instances of a class that have none of the classes before it.
function instances({ data }: Validation, type: number, one: number, before: readonly number[]): NodeCursor {
  const cursor = data.openSubjects(type, one);
  return {
    *next(): Steps<number> {
      for (;;) {
        const node = yield* cursor.next();
        if (node === 0 || before.length === 0) return node;
        const types = yield* data.objects(node, type);
        if (!types.some((other) => before.includes(other))) return node;
      }
    },
    close: () => cursor.close(),
  };
}

function single(node: number): NodeCursor {
  let isRead = false;
  return {
    *next(): Steps<number> {
      if (isRead) return 0;
      isRead = true;
      return node;
    },
    close: () => undefined,
  };
}
