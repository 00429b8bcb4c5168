/** A triple term that is taken apart. */
import { withBound } from '../../plan/node.js';
import type { TripleMatch } from '../../plan/patterns.js';
import type { Plan, TripleMatchPlan } from '../../plan/plan.js';

export function matchPlan(
  input: Plan,
  match: TripleMatch,
  variables: readonly string[],
  rows: number,
): TripleMatchPlan {
  const names = [match.s, match.p, match.o].flatMap((term) => (term.kind === 'variable' ? [term.name] : []));
  const cost = input.cost + input.rows * 0.2;
  const node = {
    ...match,
    type: 'triple-match',
    input,
    variables,
    rows,
    sorted: [],
    cost,
    first: input.first,
  } as const;
  return withBound(node, input, names);
}
