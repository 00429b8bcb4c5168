/** Rewrites a request before it is planned: the rules, in their order. */
import { inputsOf, type Task } from '../algebra/rewrite.js';
import { expressionsIn, isTwoSided, type Operation } from '../algebra/algebra.js';
import type { IsVolatileFunction } from '../algebra/volatile.js';
import { dropEmpty } from './rules/drop-empty.js';
import { dropOrder } from './rules/drop-order.js';
import { inlineBinds } from './rules/inline-binds.js';
import { graphsInPatterns, type NewName } from './rules/graphs-in-patterns.js';
import { labelSolutions } from './rules/label-solutions.js';
import { optionalBehind } from './rules/optional-behind.js';
import { optionalToJoin } from './rules/optional-to-join.js';
import { pushFilters } from './rules/push-filters.js';
import { isBlame, seedBlame } from './rules/seed-blame.js';
import { unnestSelects } from './rules/unnest-selects.js';

/**
 * What is in EXISTS is rewritten where it is planned: the values of the row have to be substituted there first. A rule is left out
 * where nothing is there that it could rewrite.
 */
export function* normalise(operation: Operation, newName: NewName, isVolatile?: IsVolatileFunction): Task<Operation> {
  let node = operation;
  let types = yield* typesIn(node);
  if (types.has('expression')) node = (yield labelSolutions(node, newName)) as Operation;
  if (types.has('graph')) {
    if (types.has('blame')) node = (yield seedBlame(node, newName)) as Operation;
    node = (yield graphsInPatterns(node, newName)) as Operation;
    types = yield* typesIn(node);
  }
  const hasJoins = types.has('join') || types.has('two-sided');
  if (types.has('orderby') && (hasJoins || types.has('union') || types.has('group')))
    node = (yield dropOrder(node)) as Operation;
  if (hasJoins && types.has('project')) node = (yield unnestSelects(node, newName)) as Operation;
  if (types.has('join') && types.has('extend')) node = (yield inlineBinds(node)) as Operation;
  if (types.has('join') && (types.has('two-sided') || types.has('extend')))
    node = (yield optionalBehind(node, isVolatile)) as Operation;
  if (types.has('filter') || types.has('values')) node = (yield dropEmpty(node)) as Operation;
  if (types.has('filter') && types.has('two-sided')) node = (yield optionalToJoin(node)) as Operation;
  if (types.has('filter')) node = (yield pushFilters(node, isVolatile)) as Operation;
  return node;
}

/** What each plan needs, also one that is not optimised: a graph for each pattern, and a solution for each label of a blank node. */
export function* prepared(operation: Operation, newName: NewName): Task<Operation> {
  return (yield graphsInPatterns((yield labelSolutions(operation, newName)) as Operation, newName)) as Operation;
}

/** The types of all operations but those of EXISTS and of other hosts, and `expression`, `two-sided` and `blame` where one is so. */
function* typesIn(operation: Operation): Task<ReadonlySet<string>> {
  const types = new Set<string>();
  const open = [operation];
  let seen = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    types.add(node.type);
    if (isBlame(node)) types.add('blame');
    if (isTwoSided(node)) types.add('two-sided');
    if (expressionsIn(node).length > 0) types.add('expression');
    for (const input of inputsOf(node)) open.push(input);
    if (++seen % NODES_AT_ONCE === 0) yield;
  }
  return types;
}

/** Nodes that are looked at in one step. */
const NODES_AT_ONCE = 16;
