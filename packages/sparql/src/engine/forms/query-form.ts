/** Separates the node of CONSTRUCT, DESCRIBE or ASK from LIMIT, OFFSET and DISTINCT above it. */
import { belowModifiers, type Ask, type Construct, type Describe, type Operation } from '../../algebra/algebra.js';
import { outerOf, withOuter } from '../../algebra/rewrite.js';

export interface QueryForm {
  /** `undefined` for SELECT. */
  readonly node: Construct | Describe | Ask | undefined;
  /** Puts the nodes above it around another operation. */
  wrap(inner: Operation): Operation;
}

/** As {@link unwrapForm}, the node alone. */
export function formNode(algebra: Operation): QueryForm['node'] {
  const node = belowModifiers(algebra);
  return node.type === 'construct' || node.type === 'describe' || node.type === 'ask' ? node : undefined;
}

export function unwrapForm(algebra: Operation): QueryForm {
  const below = belowModifiers(algebra);
  const around = (outer: Operation, inner: Operation): Operation =>
    outer === below ? inner : withOuter(outer, around(outerOf(outer)!, inner));
  return { node: formNode(below), wrap: (inner) => around(algebra, inner) };
}
