/** Operations that are nothing but one triple pattern: the index answers them row by row. */
import type { Operation } from '../../algebra/algebra.js';
import { PatternMaker } from '../patterns.js';
import type { PatternGraph, PlanPattern } from '../plan.js';
import type { PlanContext } from '../context.js';

/** The pattern of an operation that is one, else `undefined`. */
export function patternOf(planner: PlanContext, operation: Operation, graph: PatternGraph): PlanPattern | undefined {
  if (operation.type === 'join' && operation.input.length === 1) return patternOf(planner, operation.input[0]!, graph);
  if (operation.type === 'graph') {
    const { name, input } = operation;
    if (name.termType !== 'Variable') {
      return patternOf(planner, input, planner.namedGraphs.of(name));
    }
    // A pattern is all that binds the graph then.
    return patternOf(planner, input, { kind: 'each', name: name.value, among: planner.namedGraphs.listed });
  }
  if (operation.type !== 'bgp' || operation.patterns.length !== 1) return undefined;
  const maker = new PatternMaker(planner.constants, planner.newName);
  const pattern = maker.pattern(operation.patterns[0]!, graph);
  return maker.matches.length === 0 ? pattern : undefined;
}
