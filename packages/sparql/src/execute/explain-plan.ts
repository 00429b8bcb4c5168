/** Describes a plan as text and as JSON: each node with its estimated and, after a run, its actual rows and time. */
import type * as RDF from '@rdfjs/types';
import { printTerm } from '@quadrille/model';
import type { Constants } from '../plan/constants.js';
import { inputsOf } from '../plan/inputs.js';
import { printExpression, printPath } from '../plan/print-expression.js';
import type { Expression, PropertyPath } from '../algebra/algebra.js';
import { operatorOf } from './open.js';
import type { Printer } from './core/plan-operator.js';
import { mapTerms } from '../algebra/map-terms.js';
import type { PatternGraph, PatternTerm, Plan, PlanPattern } from '../plan/plan.js';
import type { PlannedQuery } from '../plan/planner.js';

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
      detail: operatorOf(plan).detail?.(plan, details) ?? '',
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

class Details implements Printer {
  constructor(
    private readonly constants: Constants,
    private readonly resolve: (term: RDF.Term) => RDF.Term,
  ) {}

  /** For a part that has constants of its own. */
  with(constants: Constants): Details {
    return new Details(constants, this.resolve);
  }

  names(variables: readonly string[]): string {
    return variables.length === 0 ? 'nothing' : variables.map((name) => `?${name}`).join(' ');
  }

  pattern({ s, p, o, g }: PlanPattern): string {
    return `${this.term(s)} ${this.term(p)} ${this.term(o)}${this.graph(g)}`;
  }

  term(term: PatternTerm): string {
    return term.kind === 'variable' ? `?${term.name}` : this.constant(term.constant);
  }

  expression(expression: Expression): string {
    return printExpression(mapTerms(expression, 'term', this.resolve) as Expression);
  }

  path(path: PropertyPath): string {
    return printPath(mapTerms(path, 'path', this.resolve) as PropertyPath);
  }

  constant(constant: number): string {
    return printTerm(this.resolve(this.constants.all[constant]!.term));
  }

  graph(graph: PatternGraph): string {
    switch (graph.kind) {
      case 'named':
        return ` in ${this.constant(graph.constant)}`;
      case 'each':
        return ` in ?${graph.name}`;
      default: {
        const sources = graph.sources.map((source) =>
          typeof source === 'string' ? source : this.constant(source.constant),
        );
        return sources.length === 1 && sources[0] === 'default' ? '' : ` in ${sources.join(' + ') || 'no graph'}`;
      }
    }
  }
}
