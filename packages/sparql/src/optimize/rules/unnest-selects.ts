/**
 * A sub-select that only chooses columns is its pattern, whose other variables get names of their own: its parts then take part in the
 * order of the joins around it.
 */
import { mapOperations, type Operation } from '../../algebra/algebra.js';
import { renameVariables } from '../../algebra/rename-variables.js';
import { visibleVariables } from '../../algebra/variables.js';

export function unnestSelects(operation: Operation, newName: () => string): Operation {
  // Another host gets its pattern as it stands.
  if (operation.type === 'service') return operation;
  const node = mapOperations(operation, (input) => unnestSelects(input, newName));
  switch (node.type) {
    case 'join':
      return mapOperations(node, (input) => unnested(input, newName));
    case 'leftjoin':
    case 'minus': {
      const [left, right] = node.input;
      const inner = unnested(right, newName);
      return inner === right ? node : { ...node, input: [left, inner] };
    }
    default:
      return node;
  }
}

function unnested(operation: Operation, newName: () => string): Operation {
  if (operation.type !== 'project') return operation;
  const columns = new Set(operation.variables.map(({ value }) => value));
  const hidden = [...visibleVariables(operation.input)].filter((name) => !columns.has(name));
  const inner = renameVariables(operation.input, new Map(hidden.map((name) => [name, newName()])));
  return inner === undefined ? operation : unnested(inner, newName);
}
