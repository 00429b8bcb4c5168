/** Expressions that need no evaluation. */
import type { Expression } from '../../algebra/algebra.js';

/** The column of an expression that is a variable, or -1. */
export function variableColumn(expression: Expression, variables: readonly string[]): number {
  if (expression.subType !== 'term' || expression.term.termType !== 'Variable') return -1;
  return variables.indexOf(expression.term.value);
}
