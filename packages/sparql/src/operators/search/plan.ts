/** A search for words or vectors, and the quads that have the literals. */
import { EvaluationError } from '@quadrille/model';
import type { Nearest, Search } from '../../algebra/algebra.js';
import { visibleVariables } from '../../algebra/variables.js';
import { Cost } from '../../plan/cost.js';
import { neededOf, type PlanContext, type Scope } from '../../plan/context.js';
import { PatternMaker, variablesOf } from '../../plan/patterns.js';
import { extendPlan } from '../extend/plan.js';
import type { Plan, SearchPlan } from '../../plan/plan.js';

/** The estimated number of rows of a search. */
const ROWS = 100;

export function planSearch(planner: PlanContext, search: Search, { needed }: Scope): Plan {
  const [pattern] = search.input.patterns;
  const made = new PatternMaker(planner).pattern(pattern!);
  const score = search.score?.value;
  const own = [...variablesOf(made), ...(score === undefined ? [] : [score])];
  const graph = search.graph !== undefined && needed.has(search.graph.value) ? search.graph : undefined;
  const column = made.g.kind === 'each' ? made.g.name : undefined;
  const kept = neededOf(own, graph === undefined || column === undefined ? needed : new Set([...needed, column]));
  // A column stands once, also where two outputs have one name.
  const variables = [...new Set(kept)];
  const plan: SearchPlan = {
    type: 'search',
    pattern: made,
    literal: search.literal.value,
    score,
    arguments: search.arguments.map((term) => ({ term, constant: planner.constants.add(term, true) })),
    variables,
    certain: new Set(variables),
    rows: ROWS,
    sorted: [],
    cost: Cost.search + ROWS * Cost.seek,
    first: Cost.search,
  };
  if (graph === undefined || made.g.kind === 'merged') return plan;
  const term = pattern!.graph;
  return extendPlan(plan, graph.value, { type: 'expression', subType: 'term', term });
}

/** @throws EvaluationError `UNSUPPORTED` where something before it has the score, or nothing there has the vector */
export async function planNearest(planner: PlanContext, nearest: Nearest, { needed }: Scope): Promise<Plan> {
  const [before, { patterns }] = nearest.input;
  const made = new PatternMaker(planner).pattern(patterns[0]!);
  const score = nearest.score?.value;
  const given = nearest.arguments[1]!;
  const vector = given.termType === 'Variable' ? given.value : undefined;
  const known = visibleVariables(before);
  if (score !== undefined && known.has(score)) throw wrong(`?${score}, the score of vec:nearest, is bound before it`);
  if (vector !== undefined && !known.has(vector))
    throw wrong(`?${vector}, the vector behind vec:nearest, is not bound before it`);
  const joined = variablesOf(made).filter((name) => known.has(name));
  const input = await planner.plan(before, {
    needed: new Set([...needed, ...joined, ...(vector === undefined ? [] : [vector])]),
  });
  const own = [...input.variables, ...variablesOf(made), ...(score === undefined ? [] : [score])];
  const variables = neededOf([...new Set(own)], needed);
  const count = Number(nearest.arguments[2]!.value) || ROWS;
  const asked = vector === undefined ? 1 : input.rows;
  return {
    type: 'nearest',
    input,
    pattern: made,
    score,
    vector,
    arguments: nearest.arguments,
    variables,
    certain: new Set(variables.filter((name) => input.certain.has(name) || !input.variables.includes(name))),
    rows: count * asked,
    sorted: [],
    cost: input.cost + asked * (Cost.search + count * Cost.seek),
    first: input.cost + Cost.search,
  };
}

const wrong = (message: string): EvaluationError => new EvaluationError('UNSUPPORTED', message);
