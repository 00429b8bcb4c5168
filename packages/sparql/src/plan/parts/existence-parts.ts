/**
 * EXISTS in a group as one of the joins. Where its rows can stand for themselves, they are a source of rows, a hash table or a test for
 * each row, whatever costs least. NOT EXISTS only drops rows, so it stays a filter.
 */
import type * as RDF from '@rdfjs/types';
import { termVariables, walk, type Filter, type Operation } from '../../algebra/algebra.js';
import { makeVariable } from '../../algebra/terms.js';
import { isVolatile, type IsVolatileFunction } from '../../algebra/volatile.js';
import { isSubset } from '../../algebra/name-sets.js';
import {
  certainVariables,
  expressionVariables,
  hasExistence,
  mentionedVariables,
  visibleVariables,
} from '../../algebra/variables.js';
import { normalise } from '../../optimize/normalise.js';
import { isIndifferent, type Existence } from '../../optimize/rules/existence.js';
import type { PlanContext, Scope } from '../context.js';
import * as make from '../nodes.js';
import type { Extension } from '../join/join-part.js';
import type { Plan } from '../plan.js';
import { costOfTest } from './existence-planner.js';
import { otherPart, type GroupPart } from './group-part.js';
import type { GroupParts } from './group-parts.js';

/** In a group with more EXISTS the others are filters: each part takes time to plan. */
const MOST_JOINED = 16;

/** An EXISTS whose distinct rows can be joined. */
export interface JoinedExistence {
  readonly existence: Existence;
  readonly shared: readonly string[];
}

/**
 * Takes out of the filters of a group what can be joined. An EXISTS of patterns whose variables all rows have is nothing but these patterns,
 * which go to the others: each row has one match or none.
 */
export function takeExistence(group: GroupParts, { options }: PlanContext): JoinedExistence[] {
  const joined: JoinedExistence[] = [];
  const some = group.filters.filter(({ subType }) => subType === 'existence').slice(0, MOST_JOINED);
  if (some.length === 0) return joined;
  // What is taken in below binds nothing else.
  const { visible, certain } = variablesOfGroup(group);
  for (const filter of some) {
    if (filter.subType !== 'existence' || filter.not || filter.apart === true) continue;
    const own = [...visibleVariables(filter.input)];
    const isPlain = own.length > 0 && arePatterns(filter.input, options.isVolatile) && isSubset(own, certain);
    if (isPlain) {
      group.filters.splice(group.filters.indexOf(filter), 1);
      group.add(filter.input, false);
      continue;
    }
    const shared = own.filter((name) => visible.has(name));
    const always = certainVariables(filter.input);
    if (shared.length === 0 || !shared.every((name) => certain.has(name) && always.has(name))) continue;
    const seen = [...mentionedVariables(filter.input)].filter((name) => visible.has(name));
    if (!isSimple(filter.input) || !isIndifferent(filter.input, seen, options.isVolatile)) continue;
    group.filters.splice(group.filters.indexOf(filter), 1);
    joined.push({ existence: filter, shared });
  }
  return joined;
}

/** Patterns, and filters that look at nothing else. */
function arePatterns(operation: Operation, isFunction: IsVolatileFunction | undefined): boolean {
  switch (operation.type) {
    case 'bgp':
      return true;
    case 'join':
      return operation.input.every((input) => arePatterns(input, isFunction));
    case 'filter':
      return isOwn(operation, isFunction) && arePatterns(operation.input, isFunction);
    default:
      return false;
  }
}

const isOwn = ({ expression, input }: Filter, isFunction: IsVolatileFunction | undefined): boolean =>
  !hasExistence(expression) &&
  !isVolatile(expression, isFunction) &&
  isSubset(expressionVariables(expression), certainVariables(input));

/** Without another EXISTS in it, which would be planned many times, and without a call of another host. */
function isSimple(operation: Operation): boolean {
  let simple = true;
  walk(operation, (node) => {
    if (node.type === 'service' || (node.type === 'expression' && node.subType === 'existence')) simple = false;
  });
  return simple;
}

function variablesOfGroup({ patterns, paths, others, services }: GroupParts): {
  readonly visible: ReadonlySet<string>;
  readonly certain: ReadonlySet<string>;
} {
  const certain = new Set<string>();
  const see = (term: RDF.Term): void => {
    for (const name of termVariables(term)) certain.add(name);
  };
  for (const { subject, predicate, object, graph } of patterns)
    for (const term of [subject, predicate, object, graph]) see(term);
  for (const { subject, object, graph } of paths) for (const term of [subject, object, graph]) see(term);
  for (const operation of others) for (const name of certainVariables(operation)) certain.add(name);
  const visible = new Set(certain);
  for (const operation of [...others, ...services]) for (const name of visibleVariables(operation)) visible.add(name);
  return { visible, certain };
}

/** The distinct rows of an EXISTS, or the test of it, as a part. */
export async function existencePart(
  planner: PlanContext,
  { existence, shared }: JoinedExistence,
  { first }: Scope,
): Promise<GroupPart> {
  const variables = shared.map((name) => makeVariable(name));
  const rows: Operation = { type: 'distinct', input: { type: 'project', input: existence.input, variables } };
  const alone = await planner.memo(existence.input, JSON.stringify(['rows', shared]), async (): Promise<Plan> => {
    const rewritten = await planner.rewritten(normalise(rows, planner.newName, planner.options.isVolatile));
    return planner.plan(rewritten, { needed: new Set(shared) });
  });
  const part = otherPart(alone);
  const cost = await costOfTest(planner, existence, shared);
  // A row that lacks a variable would pass before it gets one.
  const extend = (_: ReadonlySet<string>, certain: ReadonlySet<string>): Extension | undefined =>
    isSubset(shared, certain) ? { costPerRow: cost } : undefined;
  return {
    join: { ...part.join, certain: new Set(shared), extend },
    alone: (_, names) => make.projectPlan(alone, names),
    extend: (input, names) => planner.filter(input, [existence], new Set(names), first),
  };
}
