/** Rules of the specification on variables that the grammar does not catch. */
import { walk, type Operation } from '../../../packages/sparql/src/algebra/algebra.js';
import { visibleVariables } from '../../../packages/sparql/src/algebra/variables.js';

/**
 * Checks that `(… AS ?x)` does not name a variable that is there already, that VALUES has no column twice, and that a
 * grouping selects nothing but what it groups by and aggregates.
 * @throws Error
 */
export function checkScopes(operation: Operation): void {
  walk(operation, (node) => {
    if (node.type === 'extend' && visibleVariables(node.input).has(node.variable.value)) {
      throw new Error(`?${node.variable.value} is bound already`);
    }
    if (node.type === 'values' && new Set(node.variables.map(({ value }) => value)).size < node.variables.length) {
      throw new Error('VALUES names a variable twice');
    }
    if (node.type === 'project' && isGrouping(node.input)) {
      const there = visibleVariables(node.input);
      for (const { value } of node.variables) if (!there.has(value)) throw new Error(`?${value} is not grouped`);
    }
  });
}

function isGrouping(operation: Operation): boolean {
  if (operation.type === 'extend' || operation.type === 'filter' || operation.type === 'orderby') {
    return isGrouping(operation.input);
  }
  return operation.type === 'group';
}
