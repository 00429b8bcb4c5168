/**
 * A sub-select that only chooses columns is its pattern, whose other variables get names of their own: its parts then take part in the
 * order of the joins around it.
 */
import type { Expression, Operation } from '../../algebra/algebra.js';
import { canBeRenamed, renameNode, renameVariables } from '../../algebra/rename-variables.js';
import { inputsOf, withInputs, type Task } from '../../algebra/rewrite.js';
import { visibleVariables } from '../../algebra/variables.js';

type Names = ReadonlyMap<string, string>;

const NO_NAMES: Names = new Map();

export const unnestSelects = (operation: Operation, newName: () => string): Task<Operation> =>
  new Unnesting(newName).unnest(operation, NO_NAMES);

class Unnesting {
  constructor(private readonly newName: () => string) {}

  /** `names`: what variables of the operation are called outside of the sub-selects around it. */
  *unnest(operation: Operation, names: Names): Task<Operation> {
    // Another host gets its pattern as it stands.
    if (operation.type === 'service') return operation;
    const place = (input: Operation, at: number): Task<Operation> => {
      const isPart = operation.type === 'join' || (at === 1 && operation.type !== 'union');
      return isPart ? this.#part(input, names) : this.unnest(input, names);
    };
    if (names.size > 0) return yield* this.#renamed(operation, names, place);
    const inputs = inputsOf(operation);
    const made: Operation[] = [];
    for (const [at, input] of inputs.entries()) made.push((yield place(input, at)) as Operation);
    return withInputs(operation, made);
  }

  *#renamed(
    operation: Operation,
    names: Names,
    place: (input: Operation, at: number) => Task<Operation>,
  ): Task<Operation> {
    let at = 0;
    const visit = (child: Operation | Expression): Task<Operation | Expression> =>
      child.type === 'expression' ? renameVariables(child, names) : place(child, at++);
    return (yield renameNode(operation, names, visit)) as Operation;
  }

  /** A part of a join, or the right side of OPTIONAL and MINUS: of a sub-select the pattern that it chooses columns of. */
  #part(operation: Operation, outer: Names): Task<Operation> {
    if (operation.type !== 'project') return this.unnest(operation, outer);
    const { variables, input } = operation;
    const columns = new Set(variables.map(({ value }) => value));
    const hidden = [...visibleVariables(input)].filter((name) => !columns.has(name));
    if (hidden.length === 0) return this.#part(input, outer);
    if (outer.size === 0 && !canBeRenamed(input)) return this.unnest(operation, outer);
    const names = new Map(outer);
    for (const name of hidden) names.set(name, this.newName());
    return this.#part(input, names);
  }
}
