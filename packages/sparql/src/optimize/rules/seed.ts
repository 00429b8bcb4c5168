/** Puts the rows of an enclosing operator (a seed) into a pattern that does not see their values, where they restrict it most. */
import { hasRowAlways, isTwoSided, type Operation, type Seed } from '../../algebra/algebra.js';
import { outerOf, withOuter } from '../../algebra/rewrite.js';
import { isOtherRepository } from '../../algebra/repository-address.js';
import { makeVariable } from '../../algebra/terms.js';
import { hasVolatile, type IsVolatileFunction } from '../../algebra/volatile.js';
import { isSubset } from '../../algebra/name-sets.js';
import { certainVariables, seenVariables, visibleVariables } from '../../algebra/variables.js';

/**
 * For OPTIONAL and MINUS, whose pattern is evaluated alone. `undefined` where a part of the pattern that must not see the values
 * would see them. Also where a volatile expression would be evaluated again for each row of the seed.
 */
export function seedPattern(operation: Operation, seed: Seed, isFunction?: IsVolatileFunction): Operation | undefined {
  let safe = !hasVolatile(operation, isFunction);
  const seeded = place(operation, seed, (seen, bound) => {
    const shared = seed.variables.filter((name) => seen.has(name));
    safe &&= isSubset(shared, certainVariables(bound));
  });
  return safe ? seeded : undefined;
}

/** `sees` is told the variables that another part uses, and the operation `bound` that gets the seed. */
function place(
  operation: Operation,
  seed: Seed,
  sees: (names: ReadonlySet<string>, bound: Operation) => void,
): Operation {
  const outer = outerOf(operation);
  const into = (): Operation => {
    sees(seenVariables(operation), outer!);
    return withOuter(operation, place(outer!, seed, sees));
  };
  if (isTwoSided(operation)) return into();
  switch (operation.type) {
    case 'union':
      return { ...operation, input: operation.input.map((branch) => place(branch, seed, sees)) };
    case 'extend':
      if (seed.variables.includes(operation.variable.value)) break;
      return into();
    case 'filter':
    case 'distinct':
    case 'reduced':
      return into();
    case 'project':
    case 'group': {
      if (!isBelow(operation, seed)) break;
      const columns = [...operation.variables, ...seed.variables.map((name) => makeVariable(name))];
      const variables = [...new Map(columns.map((variable) => [variable.value, variable])).values()];
      return { ...operation, variables, input: place(operation.input, seed, sees) };
    }
    case 'service':
      // Another repository of the store takes the rows as they are; another host gets their values when it is asked.
      if (!isOtherRepository(operation)) break;
      return { ...operation, input: place(operation.input, seed, sees) };
    case 'nop':
      return seed;
    default:
      break;
  }
  return { type: 'join', input: [seed, operation] };
}

/**
 * Whether the rows of a seed can stand below a projection or a grouping: what they bind is projected, or a key that every row has.
 * The numbers of the rows then keep apart what belongs to different rows.
 */
function isBelow(operation: Operation & { type: 'project' | 'group' }, seed: Seed): boolean {
  const handedOn = new Set(operation.variables.map(({ value }) => value));
  const inside = visibleVariables(operation.input);
  const own = operation.type === 'group' ? operation.aggregates.map(({ variable }) => variable.value) : [];
  if (operation.type === 'group' && hasRowAlways(operation)) return false;
  if (seed.variables.some((name) => (inside.has(name) && !handedOn.has(name)) || own.includes(name))) return false;
  if (operation.type === 'project') return true;
  const certain = certainVariables(operation.input);
  return seed.variables.every((name) => !handedOn.has(name) || (certain.has(name) && seed.certain.has(name)));
}
