/**
 * The solutions of a mapping for a row, without ids and without a plan: a row has a few values and mostly one solution, for which
 * planning would take longer than everything else. Groups are evaluated by themselves and joined, as SPARQL says; the values of the row
 * stand in each of them.
 */
import type { Expression, LeftJoin, Operation, Values } from '../algebra/algebra.js';
import { compileExpression, type ExpressionContext, type Row } from '../expression/compile.js';
import { effectiveBoolean } from '../expression/values/ebv.js';
import { sameTerm } from '../expression/values/same-term.js';
import { type Value, valueOf } from '../expression/values/value.js';
import { invalid } from './mapping-text.js';

/** The values of all variables, by their columns. */
export type Solution = (Value | undefined)[];
/** The solutions for a row. The row itself is not changed, and not handed out. */
type Solutions = (row: Solution) => Solution[];

/** Several lists, joined, would give any number. */
const MOST_SOLUTIONS = 10_000;

/** What compiling needs. */
export interface MappingContext extends Omit<ExpressionContext, 'slotOf'> {
  /** Its column. */
  slotOf(variable: string): number;
  /** The columns whose values come from the table alone. */
  readonly columns: ReadonlySet<number>;
}

/** @throws UnknownFunction */
export function compileSolutions(node: Operation, context: MappingContext): Solutions {
  switch (node.type) {
    case 'extend':
      return extended(compileSolutions(node.input, context), node, context);
    case 'filter': {
      const input = compileSolutions(node.input, context);
      const holds = condition(node.expression, context);
      return (row) => input(row).filter(holds);
    }
    case 'join':
      return node.input.map((input) => compileSolutions(input, context)).reduce(joined, itself);
    case 'union': {
      const branches = node.input.map((input) => compileSolutions(input, context));
      return (row) => bounded(branches.flatMap((branch) => branch(row)));
    }
    case 'leftjoin':
      return optional(node, context);
    case 'values':
      return listed(node, context);
    default:
      return itself;
  }
}

const itself: Solutions = (row) => [row.slice()];

/** A solution as expressions see it. */
class SolutionRow implements Row {
  solution: Solution = [];

  value(slot: number): Value | undefined {
    return this.solution[slot];
  }
}

function evaluation(expression: Expression, context: MappingContext): (solution: Solution) => Value {
  const { evaluate } = compileExpression(expression, context);
  const row = new SolutionRow();
  return (solution) => {
    row.solution = solution;
    return evaluate(row);
  };
}

function condition(expression: Expression, context: MappingContext): (solution: Solution) => boolean {
  const evaluate = evaluation(expression, context);
  return (solution) => effectiveBoolean(evaluate(solution)) === true;
}

function extended(
  input: Solutions,
  { variable, expression }: Operation & { type: 'extend' },
  context: MappingContext,
): Solutions {
  const slot = context.slotOf(variable.value);
  const evaluate = evaluation(expression, context);
  return (row) => {
    const solutions = input(row);
    for (const solution of solutions) {
      const value = evaluate(solution);
      if (value.kind !== 'error') solution[slot] = value;
    }
    return solutions;
  };
}

function joined(left: Solutions, right: Solutions): Solutions {
  if (left === itself) return right;
  if (right === itself) return left;
  return (row) => {
    const others = right(row);
    const found: Solution[] = [];
    for (const one of left(row))
      for (const other of others) {
        const both = merged(one, other);
        if (both !== undefined) found.push(both);
        if (found.length > MOST_SOLUTIONS) throw tooMany();
      }
    return found;
  };
}

/** The common solution of two; `undefined` where they differ. */
function merged(one: Solution, other: Solution): Solution | undefined {
  const both = one.slice();
  for (let slot = 0; slot < other.length; slot++) {
    const value = other[slot];
    if (value === undefined) continue;
    const present = both[slot];
    if (present === undefined) both[slot] = value;
    else if (present !== value && !sameTerm(present, value)) return undefined;
  }
  return both;
}

function optional({ input: [main, other], expression }: LeftJoin, context: MappingContext): Solutions {
  const left = compileSolutions(main, context);
  const right = compileSolutions(other, context);
  const holds = expression === undefined ? () => true : condition(expression, context);
  return (row) => {
    const others = right(row);
    const found: Solution[] = [];
    for (const one of left(row)) {
      const before = found.length;
      for (const candidate of others) {
        const both = merged(one, candidate);
        if (both !== undefined && holds(both)) found.push(both);
      }
      if (found.length === before) found.push(one);
      if (found.length > MOST_SOLUTIONS) throw tooMany();
    }
    return found;
  };
}

type Binding = readonly (readonly [slot: number, value: Value])[];

/** VALUES. It gives columns of the table no values: an empty cell has no match, where in SPARQL everything would match. */
function listed({ variables, bindings }: Values, context: MappingContext): Solutions {
  const slots = variables.map(({ value }) => [value, context.slotOf(value)] as const);
  const all = bindings.map((binding): Binding =>
    slots.flatMap(([name, slot]) => {
      const term = binding[name];
      return term === undefined ? [] : [[slot, valueOf(term)] as const];
    }),
  );
  const { columns } = context;
  return (row) => {
    const found: Solution[] = [];
    for (const binding of all) if (fits(binding, row, columns)) found.push(withBinding(row, binding));
    return bounded(found);
  };
}

function fits(binding: Binding, row: Solution, columns: ReadonlySet<number>): boolean {
  for (const [slot, value] of binding) {
    const present = row[slot];
    if (present === undefined ? columns.has(slot) : !sameTerm(present, value)) return false;
  }
  return true;
}

function withBinding(row: Solution, binding: Binding): Solution {
  const solution = row.slice();
  for (const [slot, value] of binding) solution[slot] ??= value;
  return solution;
}

function bounded(solutions: Solution[]): Solution[] {
  if (solutions.length > MOST_SOLUTIONS) throw tooMany();
  return solutions;
}

const tooMany = (): Error => invalid(`the mapping has more than ${String(MOST_SOLUTIONS)} solutions for one row`);
