/** Rewrites a request before it is planned: the rules, in their order. */
import type { Operation } from '../algebra/algebra.js';
import { inlineBinds } from './rules/inline-binds.js';
import { liftGraphs, type NewName } from './rules/lift-graphs.js';
import { pushFilters } from './rules/push-filters.js';
import { unnestSelects } from './rules/unnest-selects.js';

/** What is in EXISTS is rewritten where it is planned: the values of the row have to be substituted there first. */
export function normalise(operation: Operation, newName: NewName): Operation {
  return pushFilters(inlineBinds(unnestSelects(liftGraphs(operation, newName), newName)));
}
