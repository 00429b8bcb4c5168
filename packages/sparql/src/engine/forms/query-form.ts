/** The node of CONSTRUCT, DESCRIBE or ASK below what limits its solutions. */
import type { Ask, Construct, Describe, Operation } from '../../algebra/algebra.js';

export interface QueryForm {
  /** `undefined` for SELECT. */
  readonly node: Construct | Describe | Ask | undefined;
  /** Puts what is above the node around something else. */
  wrap(inner: Operation): Operation;
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
