/** Finds the shapes that refer to themselves, also through others. */
import type { Shape } from './shape.js';

type Draft = { recursion: Shape['recursion'] } & Shape;

/**
 * Sets how each shape refers to itself. Tarjan's strongly connected components, without the stack of the language: shapes form long chains.
 * @returns one that does
 */
export function markRecursion(shapes: readonly Draft[]): Shape | undefined {
  const indexes = new Map<Draft, number>();
  const lowest = new Map<Draft, number>();
  const path: Draft[] = [];
  const onPath = new Set<Draft>();
  let found: Shape | undefined;

  const close = (shape: Draft): void => {
    const members = new Set(path.splice(path.indexOf(shape)));
    for (const member of members) onPath.delete(member);
    const inner = [...members].flatMap((member) => [...referencesOf(member)].filter(({ to }) => members.has(to)));
    if (inner.length === 0) return;
    found ??= shape;
    const recursion = inner.some(({ negates }) => negates) ? 'mixed' : 'plain';
    for (const member of members) member.recursion = recursion;
  };

  for (const root of shapes) {
    if (indexes.has(root)) continue;
    const open: { readonly shape: Draft; readonly left: Iterator<Reference> }[] = [];
    const enter = (shape: Draft): void => {
      indexes.set(shape, indexes.size);
      lowest.set(shape, indexes.get(shape)!);
      path.push(shape);
      onPath.add(shape);
      open.push({ shape, left: referencesOf(shape) });
    };
    enter(root);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const { shape } = top;
      const next = top.left.next();
      if (next.done !== true) {
        const { to } = next.value;
        if (!indexes.has(to)) enter(to);
        else if (onPath.has(to)) lowest.set(shape, Math.min(lowest.get(shape)!, indexes.get(to)!));
        continue;
      }
      open.pop();
      const below = open.at(-1)?.shape;
      if (below !== undefined) lowest.set(below, Math.min(lowest.get(below)!, lowest.get(shape)!));
      if (lowest.get(shape) === indexes.get(shape)) close(shape);
    }
  }
  return found;
}

interface Reference {
  readonly to: Draft;
  readonly negates: boolean;
}

function* referencesOf(shape: Draft): Generator<Reference> {
  for (const to of shape.properties) yield { to: to as Draft, negates: false };
  for (const { shapes = [], negates = false } of shape.constraints)
    for (const to of shapes) yield { to: to as Draft, negates };
}
