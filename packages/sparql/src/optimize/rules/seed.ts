/** Puts the rows of an enclosing operator (a seed) into a pattern, where they restrict it most. */
import type { Expression, Operation, Seed } from '../../algebra/algebra.js';
import { isOtherRepository } from '../../algebra/repository-address.js';
import { makeVariable } from '../../algebra/terms.js';
import { hasVolatile, type IsVolatileFunction } from '../volatile.js';
import type { Task } from '../../algebra/rewrite.js';
import {
  certainVariables,
  expressionVariables,
  hasExistence,
  isSubset,
  visibleVariables,
} from '../../algebra/variables.js';

/**
 * For EXISTS, where the values of the row are substituted everywhere in the pattern (SPARQL 1.2, section 18.4). The seed goes into
 * every part that gives other results without it; the row number joins these parts.
 */
export function seedExistence(operation: Operation, seed: Seed): Operation {
  const inside = (part: Operation): Operation => (isIndifferent(part, seed) ? part : seedExistence(part, seed));
  switch (operation.type) {
    case 'join':
      if (isIndifferent(operation, seed)) break;
      return { ...operation, input: operation.input.map(inside) };
    case 'graph':
      if (isIndifferent(operation, seed)) break;
      return { ...operation, input: seedExistence(operation.input, seed) };
    case 'leftjoin': {
      const [left, right] = operation.input;
      return { ...operation, input: [seedExistence(left, seed), inside(right)] };
    }
    case 'union':
      return { ...operation, input: operation.input.map((branch) => seedExistence(branch, seed)) };
    case 'service':
      if (!isOtherRepository(operation) || isIndifferent(operation, seed)) break;
      return { ...operation, input: seedExistence(operation.input, seed) };
    case 'filter':
      return { ...operation, input: seedExistence(operation.input, seed) };
    case 'extend':
      if (seed.variables.includes(operation.variable.value)) break;
      return { ...operation, input: seedExistence(operation.input, seed) };
    case 'distinct':
    case 'reduced':
    case 'project':
    case 'group': {
      // Beside the seed, a sub-select does not see its values.
      const below = seedPattern(operation, seed);
      if (below !== undefined) return below;
      break;
    }
    default:
      return place(operation, seed, () => undefined);
  }
  return { type: 'join', input: [seed, operation] };
}

/** Whether joining the seed with the operation gives the same as putting it into every place of it. */
function isIndifferent(operation: Operation, seed: Seed): boolean {
  const isCertain = (names: ReadonlySet<string>, bound: Operation): boolean =>
    isSubset(
      seed.variables.filter((name) => names.has(name)),
      certainVariables(bound),
    );
  switch (operation.type) {
    case 'join':
    case 'union':
      return operation.input.every((input) => isIndifferent(input, seed));
    case 'graph':
      return isIndifferent(operation.input, seed);
    case 'service':
      return !isOtherRepository(operation) || isIndifferent(operation.input, seed);
    case 'filter':
      return (
        isCertain(expressionVariables(operation.expression), operation.input) && isIndifferent(operation.input, seed)
      );
    case 'extend':
      return (
        isCertain(expressionVariables(operation.expression), operation.input) && isIndifferent(operation.input, seed)
      );
    case 'leftjoin': {
      const [left, right] = operation.input;
      const seen = new Set(visibleVariables(right));
      if (operation.expression !== undefined)
        for (const name of expressionVariables(operation.expression)) seen.add(name);
      return isCertain(seen, left) && isIndifferent(left, seed) && isIndifferent(right, seed);
    }
    default:
      return true;
  }
}

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
  switch (operation.type) {
    case 'filter':
      sees(expressionVariables(operation.expression), operation.input);
      return { ...operation, input: place(operation.input, seed, sees) };
    case 'leftjoin':
    case 'minus': {
      const [left, right] = operation.input;
      sees(visibleVariables(right), left);
      if (operation.type === 'leftjoin' && operation.expression !== undefined) {
        sees(expressionVariables(operation.expression), left);
      }
      return { ...operation, input: [place(left, seed, sees), right] };
    }
    case 'union':
      return { ...operation, input: operation.input.map((branch) => place(branch, seed, sees)) };
    case 'extend':
      if (seed.variables.includes(operation.variable.value)) break;
      sees(expressionVariables(operation.expression), operation.input);
      return { ...operation, input: place(operation.input, seed, sees) };
    case 'distinct':
    case 'reduced':
      return { ...operation, input: place(operation.input, seed, sees) };
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
  if (operation.type === 'group' && operation.variables.length === 0) return false;
  if (seed.variables.some((name) => (inside.has(name) && !handedOn.has(name)) || own.includes(name))) return false;
  if (operation.type === 'project') return true;
  const certain = certainVariables(operation.input);
  return seed.variables.every((name) => !handedOn.has(name) || (certain.has(name) && seed.certain.has(name)));
}

/** An EXISTS of an expression, with the variable that stands for its answer. */
export interface MarkedExistence {
  readonly input: Operation;
  readonly not: boolean;
  readonly mark: string;
}

/** The expression with a variable in the place of each EXISTS. */
export function* markExistence(
  expression: Expression,
  newName: () => string,
  found: MarkedExistence[],
): Task<Expression> {
  if (!hasExistence(expression)) return expression;
  if (expression.subType === 'existence') {
    const mark = newName();
    found.push({ input: expression.input, not: false, mark });
    const variable = termExpression(mark);
    return expression.not ? { type: 'expression', subType: 'operator', operator: '!', args: [variable] } : variable;
  }
  if (expression.subType !== 'operator' && expression.subType !== 'named') return expression;
  const args: Expression[] = [];
  for (const argument of expression.args) args.push((yield markExistence(argument, newName, found)) as Expression);
  return { ...expression, args };
}

const termExpression = (name: string): Expression => ({
  type: 'expression',
  subType: 'term',
  term: makeVariable(name),
});
