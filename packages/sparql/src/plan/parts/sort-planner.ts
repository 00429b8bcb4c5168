/** ORDER BY: a sort of all rows, and where few of them are wanted one by ranges of an index. */
import { isTwoSided, type Expression, type Operation, type Pattern } from '../../algebra/algebra.js';
import { expressionVariables, hasExistence } from '../../algebra/variables.js';
import { FIRST_INLINE_ID } from '@quadrille/model';
import { MISS } from '../../dataset/id-dataset.js';
import type { PlanContext, Scope } from '../context.js';
import { Cost } from '../cost.js';
import { inputsOf } from '../inputs.js';
import * as make from '../nodes.js';
import type { Plan, ScanPlan, SortByRanges, SortPlan } from '../plan.js';
import { hasVolatile } from '../../algebra/volatile.js';
import { planExistence } from './existence-planner.js';

export async function planSort(
  planner: PlanContext,
  input: Operation,
  expressions: readonly Expression[],
  scope: Scope,
): Promise<SortPlan> {
  const needed = new Set([...scope.needed, ...expressions.flatMap((key) => [...expressionVariables(key)])]);
  const below = await planner.plan(input, { needed });
  const plain = expressions.map((expression) => {
    const descending = expression.subType === 'operator' && expression.operator === 'desc';
    return { expression: descending ? expression.args[0]! : expression, descending };
  });
  const { plan, expressions: keys } = await planExistence(
    planner,
    below,
    plain.map(({ expression }) => expression),
    { keepAll: true },
  );
  const sortKeys = keys.map((expression, i) => ({ expression, descending: plain[i]!.descending }));
  const sort = make.sortPlan(plan, sortKeys, scope.limit);
  if (expressions.some(hasExistence)) return sort;
  const byRanges = await planByRanges(planner, sort, input, { ...scope, needed });
  return byRanges === undefined ? sort : make.withRanges(sort, byRanges);
}

/** More quads are read than are wanted, so that mostly one part is enough. */
const RESERVE = 2;

async function planByRanges(
  planner: PlanContext,
  sort: SortPlan,
  input: Operation,
  { needed, limit, first }: Scope,
): Promise<SortByRanges | undefined> {
  const { options, steps, dataset } = planner;
  const wanted = limit ?? first;
  const key = sort.keys[0]?.expression;
  if (options.unoptimised === true || dataset.stepObjects === undefined || steps.used * 2 > steps.most)
    return undefined;
  // Each part evaluates the operation again.
  if (hasVolatile(input, options.isVolatile)) return undefined;
  if (wanted === undefined || key?.subType !== 'term' || key.term.termType !== 'Variable') return undefined;
  if (sort.cost < Cost.leastSorted * Cost.sortRow) return undefined;
  const variable = key.term.value;
  const pattern = patternWith(input, variable);
  if (pattern === undefined) return undefined;
  const predicate = planner.constants.add(pattern.predicate);
  const least = await leastPart(planner, predicate);
  if (least === undefined) return undefined;
  const part = {
    name: planner.newName(),
    variable,
    predicate,
    share: (wanted / Math.max(1, sort.rows, sort.input.rows)) * RESERVE,
    least,
  };
  const found = await planner.plan(input, { needed, part });
  const scan = findScan(found, part.name);
  if (scan === undefined || make.sortPlan(found, sort.keys, limit).cost > sort.cost * Cost.partsShare) return undefined;
  return { name: part.name, plan: make.projectPlan(found, sort.variables), scan, predicate };
}

/** A pattern that gives every row its value of a variable, and of whose rows no other part of the operation depends. */
function patternWith(operation: Operation, variable: string): Pattern | undefined {
  if (isTwoSided(operation)) return patternWith(operation.input[0], variable);
  switch (operation.type) {
    case 'bgp':
      return operation.patterns.find((pattern) => isSortable(pattern, variable));
    case 'project':
      return operation.variables.some(({ value }) => value === variable)
        ? patternWith(operation.input, variable)
        : undefined;
    case 'filter':
    case 'extend':
    case 'reduced':
      return patternWith(operation.input, variable);
    case 'join':
      for (const input of operation.input) {
        const found = patternWith(input, variable);
        if (found !== undefined) return found;
      }
      return undefined;
    default:
      return undefined;
  }
}

const isSortable = ({ subject, predicate, object }: Pattern, variable: string): boolean =>
  predicate.termType === 'NamedNode' &&
  object.termType === 'Variable' &&
  object.value === variable &&
  !(subject.termType === 'Variable' && subject.value === variable);

/**
 * How many rows a part has at least where the ids of the objects contain their values, or have keys; `undefined`: not all do. A run looks at
 * all of them; the first one tells mostly.
 */
async function leastPart({ dataset, figures, options }: PlanContext, predicate: number): Promise<number | undefined> {
  const any = { kind: 'variable', name: '' } as const;
  const graph = { kind: 'merged', sources: [] } as const;
  const ids = await figures.ids({ s: any, p: { kind: 'constant', constant: predicate }, o: any, g: graph });
  if (ids === undefined) return undefined;
  const isKeyed = async (): Promise<boolean> => (await dataset.areKeyed?.(ids.p, NO_ENDS)) === true;
  const scan = dataset.scan(ids, { order: 'posg' });
  try {
    for (;;) {
      const rows = scan.next();
      if (rows === 0) return undefined;
      if (rows !== MISS && scan.o[scan.start]! >= FIRST_INLINE_ID) return Cost.leastOfPart;
      if (rows !== MISS) return (await isKeyed()) ? Cost.leastLookedUp : undefined;
      await scan.fetch();
      await options.control?.checkpoint();
    }
  } finally {
    scan.close();
  }
}

const NO_ENDS = { throwIfAborted: (): void => undefined };

/** `undefined` also where something would be asked of another host for each part. */
function findScan(plan: Plan, name: string): ScanPlan | undefined {
  let found: ScanPlan | undefined;
  const open = [plan];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.type === 'service' || next.type === 'repository') return undefined;
    if (next.type === 'scan' && next.within === name) found = next;
    for (const input of inputsOf(next)) open.push(input);
  }
  return found;
}
