/** The inputs of a plan node, in the order in which a person would read them. */
import type { Plan } from './plan.js';

export function inputsOf(plan: Plan): readonly Plan[] {
  switch (plan.type) {
    case 'hash-join':
    case 'merge-join':
      return [plan.left, plan.right];
    case 'apply':
      return [plan.input, plan.inner];
    case 'graph-loop':
    case 'repository':
      return [plan.inner];
    case 'union':
      return plan.inputs;
    default:
      return 'input' in plan ? [plan.input] : [];
  }
}
