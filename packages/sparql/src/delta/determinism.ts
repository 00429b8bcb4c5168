/** Expressions whose values follow from the row and the data alone. */
import { partsOf, type Expression } from '../algebra/algebra.js';
import { castFunctions } from '../expression/functions/cast.js';

const VOLATILE: ReadonlySet<string> = new Set(['now', 'rand', 'uuid', 'struuid', 'bnode']);

/** Whether an expression gives the same value whenever it is evaluated. The patterns of EXISTS in it are not looked at. */
export function isDeterministic(expression: Expression): boolean {
  for (const part of partsOf(expression)) {
    if (part.subType === 'operator' && VOLATILE.has(part.operator.toLowerCase())) return false;
    // Nothing is known of the functions and aggregates of an embedder.
    if (part.subType === 'named' && !castFunctions.has(part.name.value)) return false;
    if (part.subType === 'aggregate' && part.aggregator === 'custom') return false;
  }
  return true;
}
