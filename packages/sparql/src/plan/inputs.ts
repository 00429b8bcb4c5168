/** What stands in a plan node. */
import type { Expression } from '../algebra/algebra.js';
import type { Plan } from './plan.js';

/** The inputs of a node, in the order in which a person would read them. */
export function inputsOf(plan: Plan): readonly Plan[] {
  switch (plan.type) {
    case 'hash-join':
    case 'merge-join':
      return [plan.left, plan.right];
    case 'apply':
      return [plan.input, plan.inner];
    case 'repository':
      return [plan.inner];
    case 'union':
      return plan.inputs;
    default:
      return 'input' in plan ? [plan.input] : [];
  }
}

/** The expressions that a node evaluates, without those of its inputs. */
export function expressionsOf(plan: Plan): readonly Expression[] {
  switch (plan.type) {
    case 'filter':
      return plan.expressions;
    case 'extend':
      return [plan.expression];
    case 'sort':
      return plan.keys.map(({ expression }) => expression);
    case 'group':
      return plan.aggregates.flatMap(({ expression }) => expression ?? []);
    case 'hash-join':
      return plan.condition === undefined ? [] : [plan.condition];
    default:
      return [];
  }
}
