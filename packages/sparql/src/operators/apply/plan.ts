/** A plan that runs for rows of its input. */
import { NO_NAMES } from '../../algebra/name-sets.js';
import { Cost } from '../../plan/cost.js';
import { looseNames, withLoose, keptOrder } from '../../plan/node.js';
import type { ApplyPlan, Plan } from '../../plan/plan.js';

export function applyPlan(
  input: Plan,
  inner: Plan,
  seed: string,
  seedVariables: readonly string[],
  rowNumber: string,
  mode: ApplyPlan['mode'],
  mark: string | undefined,
  variables: readonly string[],
  firstRows: number = Cost.seedRows,
): ApplyPlan {
  const runs = Math.max(1, input.rows / firstRows);
  const share = mode === 'semi' || mode === 'anti' ? 0.5 : 1;
  const matches = inner.rows * runs;
  const rows = mode === 'inner' ? matches : mode === 'left' ? Math.max(input.rows, matches) : input.rows * share;
  const cost = input.cost + runs * (inner.cost + Cost.open * 4) + input.rows * Cost.buildRow;
  // Matches that come in the order of the rows need not be arranged.
  const waits = (mode === 'left' || mode === 'inner') && inner.sorted[0] !== rowNumber;
  const first = input.first + (waits ? inner.cost : inner.first) + Cost.open * 4;
  const sorted = keptOrder(input, variables);
  const node = {
    type: 'apply',
    input,
    inner,
    seed,
    seedVariables,
    rowNumber,
    mode,
    mark,
    variables,
    rows,
    sorted,
    cost,
    first: Math.min(first, cost),
    firstRows,
  } as const;
  const loose = looseNames(input);
  if (mode !== 'left' && mode !== 'inner') return withLoose(node, loose, input);
  const added = variables.filter((name) => !input.variables.includes(name));
  const always = mode === 'inner' ? inner.certain : NO_NAMES;
  const missing = new Set([...loose, ...added].filter((name) => !always.has(name)));
  return withLoose(node, missing, input);
}
