/** Refuses, before anything runs, plans that need a function or another host that is not available. Loads the code that they need. */
import { isLate, moreOperators } from '../execute/open.js';
import { notAvailable } from '../operators/service/not-available.js';
import { finish, inSteps } from '../execute/core/waiting.js';
import { ExtensionCalls, findExtension } from '../expression/extension-functions.js';
import type { Expression } from '../algebra/algebra.js';
import type { EvaluationControl } from '../control/control.js';
import type { EvaluationOptions } from './options.js';
import type { Constants } from '../plan/constants.js';
import type { GroupPlan, Plan, ServicePlan } from '../plan/plan.js';
import { expressionsOf, inputsOf } from '../plan/inputs.js';
import type { PlannedQuery } from '../plan/planner.js';
import { makeVariable } from '../algebra/terms.js';

/**
 * Returns whether the plan needs neither a function of the caller nor another host or repository.
 * @throws UnknownFunction
 * @throws FetchError `BLOCKED_ADDRESS` for a SERVICE without the permission for it
 */
export async function checkPlan(
  { plan, constants }: PlannedQuery,
  options: EvaluationOptions,
  control: EvaluationControl,
): Promise<boolean> {
  let isClosed = true;
  const found = (): void => {
    isClosed = false;
  };
  // Not recursive: a join of thousands of patterns is as deep.
  const open = [{ node: plan, constants }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next;
    if (!moreOperators.isLoaded && isLate(node)) await moreOperators.load();
    for (const expression of expressionsOf(node)) {
      const pause = control.checkpoint();
      if (pause !== undefined) await pause;
      const loading = moreOperators.get().loadLibraries(expression);
      if (loading !== undefined) await loading;
      const checked = finish(inSteps(checkExpression(expression, node, options, found), control));
      if (checked instanceof Promise) await checked;
    }
    if (isOpen(node)) isClosed = false;
    if (node.type === 'service') checkService(node, next.constants, options);
    const inside = node.type === 'repository' ? node.constants : next.constants;
    for (const input of inputsOf(node)) open.push({ node: input, constants: inside });
  }
  return isClosed;
}

/** Whether a node needs more than the quads and terms of the repository, beside its expressions. */
const isOpen = (node: Plan): boolean =>
  node.type === 'service' ||
  node.type === 'repository' ||
  node.type === 'search' ||
  node.type === 'nearest' ||
  node.type === 'words' ||
  (node.type === 'group' && hasCustom(node));

const hasCustom = ({ aggregates }: GroupPlan): boolean => aggregates.some(({ aggregator }) => aggregator === 'custom');

function checkService(
  { endpoint, silent }: ServicePlan,
  constants: Constants,
  { remote, repositories }: EvaluationOptions,
): void {
  if (silent || remote !== undefined) return;
  if (endpoint.kind === 'constant') throw notAvailable(constants.all[endpoint.constant]!.term);
  // Its values may be repositories.
  if (repositories === undefined) throw notAvailable(makeVariable(endpoint.name));
}

/** Calls `found` for each function of the caller. */
function checkExpression(
  expression: Expression,
  plan: Plan,
  { extensionFunctions }: EvaluationOptions,
  found: () => void,
): Generator<undefined, unknown> {
  const inputs = inputsOf(plan);
  return moreOperators.get().compileInSteps(expression, {
    // Nothing reads the columns.
    slotOf: (name) => (inputs.some(({ variables }) => variables.includes(name)) ? 0 : undefined),
    resolve: (term) => term,
    baseIRI: undefined,
    extension: (iri) => {
      const extension = findExtension(iri, extensionFunctions);
      if (extension !== undefined) found();
      return extension;
    },
    calls: new ExtensionCalls(),
    now: new Date(0),
    newBlankNode: () => {
      throw new Error('nothing is evaluated here');
    },
    random: () => 0,
    uuid: () => '',
  });
}
