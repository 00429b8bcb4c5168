/** A path of unbounded or optional length. */
import { Cost } from '../../plan/cost.js';
import { withBound } from '../../plan/node.js';
import type { PathPlan, PatternTerm, Plan } from '../../plan/plan.js';

/** What a path is between. */
export type PathEnds = Pick<PathPlan, 'subject' | 'path' | 'kind' | 'object' | 'graph'>;

export function pathPlan(
  input: Plan,
  path: PathEnds,
  variables: readonly string[],
  rows: number,
  searches: number,
): PathPlan {
  const ends = [path.subject, path.object].flatMap((end) => (end.kind === 'variable' ? [end.name] : []));
  const cost = input.cost + input.rows * searches * Cost.pathStart;
  const first = input.first + Cost.pathStart;
  const node = { ...path, type: 'path', input, variables, rows, sorted: [], cost, first } as const;
  return withBound(node, input, ends);
}

/** A path of which only the far end of each row is used, once: one search from all rows. */
export function searchedTogether(plan: PathPlan): PathPlan {
  const { subject, object, graph, input, variables } = plan;
  const [far] = variables;
  const isFar = (end: PatternTerm): boolean => end.kind === 'variable' && end.name === far;
  const isNear = (end: PatternTerm): boolean => end.kind === 'constant' || input.certain.has(end.name);
  if (variables.length !== 1 || graph.kind === 'each' || input.variables.includes(far!)) return plan;
  const fits = (isFar(object) && isNear(subject)) || (isFar(subject) && isNear(object));
  return fits ? { ...plan, together: true } : plan;
}
