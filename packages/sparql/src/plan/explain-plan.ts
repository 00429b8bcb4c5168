/** Describes a plan as text and as JSON: each node with its estimated and, after a run, its actual rows and time. */
import type * as RDF from '@rdfjs/types';
import { printTerm } from '@quadrille/model';
import type { Constants } from './constants.js';
import { inputsOf } from './inputs.js';
import { printExpression, printPath } from './print-expression.js';
import type { Expression, PropertyPath } from '../algebra/algebra.js';
import { mapTerms } from '../algebra/map-terms.js';
import type { HashJoinPlan, PatternGraph, PatternTerm, Plan, PlanPattern, StarPlan } from './plan.js';
import type { PlannedQuery } from './planner.js';

/** What one node really did. */
export interface NodeProfile {
  rows: number;
  /** Milliseconds, those of the inputs included. */
  ms: number;
  /** How often the node was opened. */
  opened: number;
}

type Profile = ReadonlyMap<Plan, NodeProfile>;

/** One node as JSON. */
export interface ExplainedNode {
  readonly operator: string;
  readonly detail: string;
  readonly variables: readonly string[];
  readonly estimatedRows: number;
  /** Microseconds, inputs included. Only the ratios matter. */
  readonly estimatedCost: number;
  readonly actualRows?: number;
  readonly actualMs?: number;
  readonly opened?: number;
  readonly inputs: readonly ExplainedNode[];
}

export function explainPlan(
  { plan, constants }: PlannedQuery,
  resolve: (term: RDF.Term) => RDF.Term,
  profile?: Profile,
): { readonly text: string; readonly plan: ExplainedNode } {
  const node = explainNodes(plan, new Details(constants, resolve), profile);
  return { text: textOf(node), plan: node };
}

// Neither is recursive: a join of thousands of patterns is as deep.
function explainNodes(root: Plan, given: Details, profile: Profile | undefined): ExplainedNode {
  const roots: ExplainedNode[] = [];
  const open = [{ plan: root, siblings: roots, details: given }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { plan, siblings, details } = next;
    const actual = profile?.get(plan);
    const inputs: ExplainedNode[] = [];
    siblings.push({
      operator: plan.type,
      detail: details.of(plan),
      variables: plan.variables,
      estimatedRows: round(plan.rows),
      estimatedCost: round(plan.cost),
      ...(profile === undefined
        ? {}
        : { actualRows: actual?.rows ?? 0, actualMs: round(actual?.ms ?? 0), opened: actual?.opened ?? 0 }),
      inputs,
    });
    const inside = plan.type === 'repository' ? details.with(plan.constants) : details;
    for (const input of [...inputsRead(plan, profile), ...readInstead(plan, profile)].toReversed())
      open.push({ plan: input, siblings: inputs, details: inside });
  }
  return roots[0]!;
}

/** The inputs: of a sort by ranges what it reads of them, and all rows where they were read. */
function inputsRead(plan: Plan, profile: Profile | undefined): readonly Plan[] {
  if (plan.type !== 'sort' || plan.byRanges === undefined) return inputsOf(plan);
  return profile?.has(plan.input) === true ? [plan.byRanges.plan, plan.input] : [plan.byRanges.plan];
}

/** What a seek went on with, where it had more rows than was estimated. */
function readInstead(plan: Plan, profile: Profile | undefined): readonly Plan[] {
  if (profile === undefined || (plan.type !== 'seek' && plan.type !== 'star') || plan.afterwards === undefined)
    return [];
  const { right } = plan.afterwards.plan();
  return profile.has(right) ? [right] : [];
}

function textOf(root: ExplainedNode): string {
  const lines: string[] = [];
  const open = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    const { operator, detail, estimatedRows, actualRows, actualMs, opened } = node;
    const ran =
      actualRows === undefined
        ? ''
        : `, got ${actualRows} in ${actualMs} ms${opened === 1 ? '' : ` (opened ${opened} times)`}`;
    const indent = '  '.repeat(depth);
    lines.push(`${indent}${operator}${detail === '' ? '' : ` ${detail}`}  [about ${estimatedRows} rows${ran}]`);
    for (const input of node.inputs.toReversed()) open.push({ node: input, depth: depth + 1 });
  }
  return lines.join('\n');
}

const round = (value: number): number => (value < 10 ? Math.round(value * 100) / 100 : Math.round(value));

class Details {
  constructor(
    private readonly constants: Constants,
    private readonly resolve: (term: RDF.Term) => RDF.Term,
  ) {}

  /** For a part that has constants of its own. */
  with(constants: Constants): Details {
    return new Details(constants, this.resolve);
  }

  of(plan: Plan): string {
    switch (plan.type) {
      case 'scan':
        return [
          this.#pattern(plan.pattern),
          plan.order,
          plan.range === undefined ? undefined : `range of ?${plan.range.variable}`,
          plan.within === undefined ? undefined : 'parts of it',
        ]
          .filter((part) => part !== undefined)
          .join(', ');
      case 'distinct-scan':
      case 'count':
        return this.#pattern(plan.pattern);
      case 'seek':
        return `${plan.mode} ${this.#pattern(plan.pattern)}${plan.order === undefined ? '' : `, ${plan.order}`}`;
      case 'hash-join':
        return `${plan.mode} ${keysOf(plan)}`;
      case 'star':
        return this.#star(plan);
      case 'merge-join':
        return `on ?${plan.key}`;
      case 'apply':
        return `${plan.mode} with ${names(plan.seedVariables)}${plan.rowsAtOnce === undefined ? '' : AT_ONCE[plan.rowsAtOnce]}`;
      case 'filter':
        return plan.expressions.map((expression) => this.#expression(expression)).join(' && ');
      case 'extend':
        return `?${plan.variable} := ${this.#expression(plan.expression)}`;
      case 'path':
        return `${this.#term(plan.subject)} (${this.#path(plan.path)})${SUFFIX[plan.kind]} ${this.#term(plan.object)}${plan.together === true ? ', one search from all' : ''}`;
      default:
        return this.#rest(plan);
    }
  }

  #rest(plan: Plan): string {
    switch (plan.type) {
      case 'project':
        return names(plan.variables);
      case 'slice':
        return `offset ${plan.start}${plan.length === undefined ? '' : ` limit ${plan.length}`}${plan.of === undefined ? '' : ` of each ?${plan.of}`}`;
      case 'sort':
        return plan.keys
          .map(({ expression, descending }) => `${descending ? 'desc ' : ''}${this.#expression(expression)}`)
          .join(', ')
          .concat(plan.limit === undefined ? '' : `, first ${plan.limit}`)
          .concat(plan.byRanges === undefined ? '' : ', by parts of an index');
      case 'group':
        return `by ${plan.ofGraphs === undefined ? '' : 'each graph '}${names(plan.keys)}: ${plan.aggregates.map(({ variable, aggregator, iri }) => `?${variable} := ${iri ?? aggregator}`).join(', ')}`;
      case 'values':
        return `${plan.constants.length} rows of ${names(plan.variables)}`;
      case 'statistics':
        return plan.among === undefined ? plan.key : `${plan.key} of ${plan.among.length}`;
      case 'repository':
        return `<${plan.address}>`;
      case 'service':
        return this.#term(plan.endpoint);
      case 'triple-match':
        return `?${plan.term} as <<( ${this.#term(plan.s)} ${this.#term(plan.p)} ${this.#term(plan.o)} )>>`;
      default:
        return '';
    }
  }

  #star({ subject, legs, graph }: StarPlan): string {
    const shown = legs.map(
      ({ mode, predicate, object }) =>
        `${mode === 'inner' ? '' : `${mode} `}${this.#constant(predicate)} ${this.#term(object)}`,
    );
    return `?${subject} ${shown.join(' ; ')}${this.#graph(graph)}`;
  }

  #pattern({ s, p, o, g }: PlanPattern): string {
    return `${this.#term(s)} ${this.#term(p)} ${this.#term(o)}${this.#graph(g)}`;
  }

  #term(term: PatternTerm): string {
    return term.kind === 'variable' ? `?${term.name}` : this.#constant(term.constant);
  }

  #expression(expression: Expression): string {
    return printExpression(mapTerms(expression, 'term', this.resolve) as Expression);
  }

  #path(path: PropertyPath): string {
    return printPath(mapTerms(path, 'path', this.resolve) as PropertyPath);
  }

  #constant(constant: number): string {
    return printTerm(this.resolve(this.constants.all[constant]!.term));
  }

  #graph(graph: PatternGraph): string {
    switch (graph.kind) {
      case 'named':
        return ` in ${this.#constant(graph.constant)}`;
      case 'each':
        return ` in ?${graph.name}`;
      default: {
        const sources = graph.sources.map((source) =>
          typeof source === 'string' ? source : this.#constant(source.constant),
        );
        return sources.length === 1 && sources[0] === 'default' ? '' : ` in ${sources.join(' + ') || 'no graph'}`;
      }
    }
  }
}

const AT_ONCE = { one: ', row by row', all: ', all rows at once' } as const;
const SUFFIX = { ZeroOrMorePath: '*', OneOrMorePath: '+', ZeroOrOnePath: '?' } as const;
const names = (variables: readonly string[]): string =>
  variables.length === 0 ? 'nothing' : variables.map((name) => `?${name}`).join(' ');

/** What rows are joined by: also variables that some rows leave unbound. */
function keysOf({ keys, loose }: HashJoinPlan): string {
  if (keys.length + loose.length === 0) return 'of all pairs';
  const bound = loose.length === 0 ? [] : [`${names(loose)} where bound`];
  return `on ${[...(keys.length === 0 ? [] : [names(keys)]), ...bound].join(', ')}`;
}
