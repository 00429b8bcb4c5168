/** Operations that are nothing but one pattern. */
import type { Graph, Operation } from '../../algebra/algebra.js';
import { isInGraphAround } from '../../algebra/graph-transparency.js';
import { makePattern } from '../../algebra/terms.js';
import type { PlanContext } from '../context.js';
import { PatternMaker } from '../patterns.js';
import type { PlanPattern } from '../plan.js';

/** The only pattern of an operation; `undefined` where there is more. `graph`: that of GRAPH around it, in an EXISTS as it was written. */
export function patternOf(planner: PlanContext, operation: Operation, graph?: Graph['name']): PlanPattern | undefined {
  if (operation.type === 'join' && operation.input.length === 1) return patternOf(planner, operation.input[0]!, graph);
  if (operation.type === 'graph') return patternOf(planner, operation.input, operation.name);
  if (operation.type !== 'bgp' || operation.patterns.length !== 1) return undefined;
  const [given] = operation.patterns;
  const { subject, predicate, object } = given!;
  const maker = new PatternMaker(planner);
  const isAround = graph !== undefined && isInGraphAround(given!);
  const pattern = maker.pattern(isAround ? makePattern(subject, predicate, object, graph) : given!);
  return maker.matches.length === 0 ? pattern : undefined;
}
