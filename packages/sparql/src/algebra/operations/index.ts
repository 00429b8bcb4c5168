/** The records of all kinds of operations. */
import { hasRowAlways, type Operation } from '../algebra.js';
import { inputsOf } from '../rewrite.js';
import { FORMS } from './forms.js';
import { GROUPS } from './groups.js';
import { JOINS } from './joins.js';
import { PATTERNS } from './patterns.js';
import type { Family, OperationRecord, OperationType } from './record.js';
import { SELECTS } from './selects.js';
import { TWO_SIDED } from './two-sided.js';

export const OPERATIONS: Family<OperationType> = {
  ...PATTERNS,
  ...JOINS,
  ...TWO_SIDED,
  ...GROUPS,
  ...SELECTS,
  ...FORMS,
};

export const recordOf = ({ type }: Operation): OperationRecord => OPERATIONS[type] as OperationRecord;

/** Whether a node is an operation: a walk also passes expressions, and the parts of paths. */
export const isOperation = (node: { readonly type: string }): node is Operation => Object.hasOwn(OPERATIONS, node.type);

/** Whether each solution comes from one of an input of which something holds. */
export function comesFrom(node: Operation, holds: (input: Operation) => boolean): boolean {
  const inputs = inputsOf(node);
  switch (recordOf(node).from) {
    case 'each':
      return inputs.some(holds);
    case 'any':
      return inputs.every(holds);
    case 'first':
      return !(node.type === 'group' && hasRowAlways(node)) && holds(inputs[0]!);
    default:
      return false;
  }
}
