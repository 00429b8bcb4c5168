/**
 * EXISTS as SPARQL 1.2 defines it (section 17.4.1.4, and ContextSolution in section 18): each group of its pattern begins with the row
 * that it is asked for. So do groups of sub-selects, of both sides of MINUS, and of branches of UNION.
 */
import {
  belowModifiers,
  expressionsIn,
  hasRowAlways,
  isTwoSided,
  type Expression,
  type Operation,
  type Seed,
} from '../../algebra/algebra.js';
import { recordOf } from '../../algebra/operations/index.js';
import { isOtherRepository } from '../../algebra/repository-address.js';
import { makeVariable } from '../../algebra/terms.js';
import { isVolatile, type IsVolatileFunction } from '../../algebra/volatile.js';
import { inputsOf, mapInputs, type Task } from '../../algebra/rewrite.js';
import { isSubset } from '../../algebra/name-sets.js';
import {
  certainVariables,
  expressionVariables,
  hasExistence,
  mentionedVariables,
  seenVariables,
  visibleVariables,
} from '../../algebra/variables.js';

export type Existence = Expression & { readonly subType: 'existence' };

/** The pattern of an EXISTS with the rows in it. */
export interface SeededExistence {
  readonly operation: Operation;
  /** Whether the seed must have one row at a time: a LIMIT or a group without keys has an answer of its own for each. */
  readonly oneByOne: boolean;
}

/** Every solution of the result has the variables of the seed. */
export function seedExistence(operation: Operation, seed: Seed, isFunction?: IsVolatileFunction): SeededExistence {
  const context = new Context(seed, seed, isFunction);
  return { operation: context.within(operation), oneByOne: context.oneByOne };
}

/** Whether joining rows with these variables with the operation gives the same as putting them into every group of it. */
export function isIndifferent(
  operation: Operation,
  variables: readonly string[],
  isFunction?: IsVolatileFunction,
): boolean {
  const seed: Seed = { type: 'seed', name: '', variables, certain: new Set(), rowNumber: '', rows: 1 };
  return new Context(seed, seed, isFunction).isIndifferent(operation);
}

class Context {
  oneByOne = false;
  readonly #indifferent = new Map<Operation, boolean>();

  /** `rows`: the seed, perhaps without some of its variables. */
  constructor(
    private readonly seed: Seed,
    private readonly rows: Seed | (Operation & { type: 'project' }),
    private readonly isFunction: IsVolatileFunction | undefined,
    private readonly names: readonly string[] = seed.variables,
  ) {}

  within(operation: Operation): Operation {
    if (this.isIndifferent(operation)) return this.#beside(operation);
    const { from } = recordOf(operation);
    switch (operation.type) {
      case 'extend':
        return this.#extend(operation);
      case 'group':
        return this.#beside(operation);
      case 'project':
      case 'distinct':
      case 'reduced':
      case 'slice': {
        const select = this.#select(operation);
        // Behind a grouping, a sub-select sees its keys alone.
        return isGrouped(operation) ? this.#beside(select) : select;
      }
      default:
        if (from === 'none' && operation.type !== 'service') return this.#beside(operation);
        // What is joined with the rows has them.
        return mapInputs(operation, (input, at) =>
          from === 'each' || (at > 0 && from === 'first' && agreesOnRows(operation))
            ? this.#part(input)
            : this.within(input),
        );
    }
  }

  /** A part of a group that has the rows already. */
  #part(operation: Operation): Operation {
    return this.isIndifferent(operation) ? operation : this.within(operation);
  }

  #beside(operation: Operation): Operation {
    return operation.type === 'nop' ? this.rows : { type: 'join', input: [this.rows, operation] };
  }

  // What binds a variable of the rows does not see it, and has to agree with it.
  #extend(operation: Operation & { type: 'extend' }): Operation {
    const { value: name } = operation.variable;
    if (!this.names.includes(name)) return { ...operation, input: this.within(operation.input) };
    const names = this.names.filter((other) => other !== name);
    const variables = names.map((other) => makeVariable(other));
    const others = new Context(this.seed, { type: 'project', input: this.rows, variables }, this.isFunction, names);
    const input = others.within(operation.input);
    this.oneByOne ||= others.oneByOne;
    return this.#beside({ ...operation, input });
  }

  #select(operation: Operation): Operation {
    switch (operation.type) {
      case 'slice':
        this.oneByOne = true;
        return { ...operation, input: this.#select(operation.input) };
      case 'distinct':
      case 'reduced':
        return { ...operation, input: this.#select(operation.input) };
      case 'project':
        return isGrouped(operation)
          ? this.#withColumns({ ...operation, input: this.#grouped(operation.input) }, this.#numbers())
          : this.#withColumns({ ...operation, input: this.within(operation.input) }, this.names);
      default:
        return this.within(operation);
    }
  }

  #withColumns<T extends Operation & { type: 'project' | 'group' }>(operation: T, names: readonly string[]): T {
    const columns = [...operation.variables, ...names.map((name) => makeVariable(name))];
    return { ...operation, variables: [...new Map(columns.map((variable) => [variable.value, variable])).values()] };
  }

  /** What keeps the rows apart. One alone needs nothing, and a group without keys stays one. */
  #numbers(): readonly string[] {
    return this.oneByOne ? [] : [this.seed.rowNumber];
  }

  /** What stands between the columns of a sub-select and its patterns, where it has a grouping. */
  #grouped(operation: Operation): Operation {
    switch (operation.type) {
      case 'extend':
      case 'filter':
      case 'orderby':
        return { ...operation, input: this.#grouped(operation.input) };
      case 'join':
        return { ...operation, input: operation.input.map((part) => this.#grouped(part)) };
      case 'group': {
        this.oneByOne ||= hasRowAlways(operation);
        const group = { ...operation, input: this.within(operation.input) };
        return this.#withColumns(group, this.#numbers());
      }
      default:
        // VALUES behind the query.
        return operation;
    }
  }

  /** Whether joining the rows with the operation gives the same as putting them into every place of it. */
  isIndifferent(operation: Operation): boolean {
    let answer = this.#indifferent.get(operation);
    if (answer === undefined) this.#indifferent.set(operation, (answer = this.#findIndifferent(operation)));
    return answer;
  }

  #findIndifferent(operation: Operation): boolean {
    // It has a value for each row.
    if (expressionsIn(operation).some((expression) => isVolatile(expression, this.isFunction))) return false;
    const isIndifferent = (input: Operation): boolean => this.isIndifferent(input);
    const isCertain = (names: ReadonlySet<string>, bound: Operation): boolean =>
      isSubset(this.#own(names), certainVariables(bound));
    switch (operation.type) {
      case 'service':
        return !isOtherRepository(operation) || isIndifferent(operation.input);
      case 'project': {
        const hidden = new Set(visibleVariables(operation.input));
        for (const { value } of operation.variables) hidden.delete(value);
        return this.#own(hidden).length === 0 && isIndifferent(operation.input);
      }
      case 'group': {
        const { input, variables, aggregates } = operation;
        if (hasRowAlways(operation))
          return this.#own(mentionedVariables(operation)).length === 0 && isIndifferent(input);
        const keys = new Set(variables.map(({ value }) => value));
        const seen = new Set(visibleVariables(input));
        for (const aggregate of aggregates) for (const name of expressionVariables(aggregate)) seen.add(name);
        return isSubset(this.#own(seen), keys) && isCertain(seen, input) && isIndifferent(input);
      }
      case 'distinct':
      case 'reduced':
      case 'orderby':
        return isCertain(mentionedVariables(operation), operation.input) && isIndifferent(operation.input);
      case 'slice':
        return this.#own(mentionedVariables(operation)).length === 0 && isIndifferent(operation.input);
      default: {
        const inputs = inputsOf(operation);
        const seen = seenVariables(operation);
        return (
          agreesOnRows(operation) && (seen.size === 0 || isCertain(seen, inputs[0]!)) && inputs.every(isIndifferent)
        );
      }
    }
  }

  #own(names: ReadonlySet<string>): string[] {
    return this.names.filter((name) => names.has(name));
  }
}

/** MINUS takes away only where the sides share a variable. With the rows in them they do, and these do in any case. */
function agreesOnRows(operation: Operation): boolean {
  if (!isTwoSided(operation) || recordOf(operation).comparesVariables !== true) return true;
  const column = 'column' in operation ? operation.column?.value : undefined;
  const [certain, other] = operation.input.map(certainVariables);
  return [...certain!].some((name) => other!.has(name) && name !== column);
}

/** Whether a sub-select has a grouping of its own. */
function isGrouped(select: Operation): boolean {
  const top = belowModifiers(select);
  const open = top.type === 'project' ? [top.input] : [];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'group') return true;
    if (ABOVE_GROUP.has(node.type)) open.push(...inputsOf(node));
  }
  return false;
}

/** The join is that with VALUES behind the query. */
const ABOVE_GROUP: ReadonlySet<string> = new Set(['extend', 'filter', 'orderby', 'join']);

/** An EXISTS of an expression, with the variable that stands for its answer. */
export interface MarkedExistence {
  readonly existence: Existence;
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
    found.push({ existence: expression, mark });
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
