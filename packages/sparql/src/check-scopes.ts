/** Rules of the specification on variables that the grammar does not catch. */
import { walk, type Operation } from './algebra.js';
import { visibleVariables } from './substitute-variables.js';

/**
 * Checks that `(… AS ?x)` does not name a variable that is there already, and that VALUES has no column twice.
 * @throws Error with the reason, for the parser to place
 */
export function checkScopes(operation: Operation): void {
  walk(operation, (node) => {
    if (node.type === 'extend' && visibleVariables(node.input).has(node.variable.value)) {
      throw new Error(`the variable ?${node.variable.value} is bound already, and cannot be bound again by AS`);
    }
    if (node.type === 'values' && new Set(node.variables.map(({ value }) => value)).size < node.variables.length) {
      throw new Error('VALUES names a variable twice');
    }
  });
}
