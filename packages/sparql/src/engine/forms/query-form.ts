/** Separates the node of CONSTRUCT, DESCRIBE or ASK from LIMIT, OFFSET and DISTINCT above it. */
import type { Ask, Construct, Describe, Operation } from '../../algebra/algebra.js';

export interface QueryForm {
  /** `undefined` for SELECT. */
  readonly node: Construct | Describe | Ask | undefined;
  /** Puts the nodes above it around another operation. */
  wrap(inner: Operation): Operation;
}

/** As {@link unwrapForm}, the node alone. */
export function formNode(algebra: Operation): QueryForm['node'] {
  let node = algebra;
  while (node.type === 'slice' || node.type === 'distinct' || node.type === 'reduced') node = node.input;
  return node.type === 'construct' || node.type === 'describe' || node.type === 'ask' ? node : undefined;
}

export function unwrapForm(algebra: Operation): QueryForm {
  switch (algebra.type) {
    case 'construct':
    case 'describe':
    case 'ask':
      return { node: algebra, wrap: (inner) => inner };
    case 'slice':
    case 'distinct':
    case 'reduced': {
      const { node, wrap } = unwrapForm(algebra.input);
      return { node, wrap: (inner) => ({ ...algebra, input: wrap(inner) }) };
    }
    default:
      return { node: undefined, wrap: (inner) => inner };
  }
}
