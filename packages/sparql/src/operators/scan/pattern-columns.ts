/** How the positions of a quad become columns of a batch: which are constants, which come from the input, which are new. */
import type { PatternTerm, PlanPattern } from '../../plan/plan.js';
import type { IdScan } from '../../dataset/id-dataset.js';
import { resolveGraph, type ResolvedGraph } from './graphs.js';
import type { Execution } from '../../execute/core/operator.js';

export const POSITIONS = ['s', 'p', 'o', 'g'] as const;
export type Position = (typeof POSITIONS)[number];

export interface ResolvedPattern {
  readonly graph: ResolvedGraph;
  /** Ids of the constant positions, 0 for the others. */
  readonly s: number;
  readonly p: number;
  readonly o: number;
  readonly g: number;
  /** False: a constant is not in the dataset, or no graph is visible. */
  readonly possible: boolean;
  readonly variables: PatternVariables;
}

/** Positions by the name of their variable, in the order s p o g. */
type PatternVariables = ReadonlyMap<string, readonly Position[]>;

export function resolvePattern(pattern: PlanPattern, execution: Execution): ResolvedPattern {
  const graph = resolveGraph(pattern.g, execution);
  const idOf = (term: PatternTerm): number => (term.kind === 'constant' ? execution.constants[term.constant]! : 0);
  const s = idOf(pattern.s);
  const p = idOf(pattern.p);
  const o = idOf(pattern.o);
  const missing =
    (pattern.s.kind === 'constant' && s === 0) ||
    (pattern.p.kind === 'constant' && p === 0) ||
    (pattern.o.kind === 'constant' && o === 0);
  return { graph, s, p, o, g: graph.id, possible: graph.visible && !missing, variables: variablesOf(pattern) };
}

/** A plan is opened often, and its patterns stay as they are. */
const variablesOfPatterns = new WeakMap<PlanPattern, PatternVariables>();

function variablesOf(pattern: PlanPattern): PatternVariables {
  const known = variablesOfPatterns.get(pattern);
  if (known !== undefined) return known;
  const variables = new Map<string, Position[]>();
  for (const position of POSITIONS) {
    const at = pattern[position];
    if (at.kind !== 'variable' && at.kind !== 'each') continue;
    const positions = variables.get(at.name);
    if (positions === undefined) variables.set(at.name, [position]);
    else positions.push(position);
  }
  variablesOfPatterns.set(pattern, variables);
  return variables;
}

const NO_PAIRS: readonly (readonly [Position, Position])[] = [];

/** Positions that must have the same id. */
function pairsOf(variables: PatternVariables): readonly (readonly [Position, Position])[] {
  let pairs = NO_PAIRS;
  for (const [first, ...others] of variables.values()) {
    if (others.length > 0) pairs = [...pairs, ...others.map((other) => [first!, other] as const)];
  }
  return pairs;
}

/**
 * Picks the rows of a scan's window that count: in graphs that are visible, once where graphs are merged, with equal ids where a
 * variable stands twice.
 */
export class RowFilter {
  readonly #accepts: ((graph: number) => boolean) | undefined;
  readonly #unique: boolean;
  readonly #pairs: readonly (readonly [Position, Position])[];
  #lastS = 0;
  #lastP = 0;
  #lastO = 0;
  /** True where every row counts. */
  readonly passesAll: boolean;

  constructor({ graph, variables }: ResolvedPattern) {
    this.#accepts = graph.accepts;
    this.#unique = graph.unique;
    this.#pairs = pairsOf(variables);
    this.passesAll = this.#accepts === undefined && !this.#unique && this.#pairs.length === 0;
  }

  /** Another scan begins. */
  reset(): void {
    this.#lastS = this.#lastP = this.#lastO = 0;
  }

  passes(scan: IdScan, row: number): boolean {
    if (this.#accepts !== undefined && !this.#accepts(scan.g[row]!)) return false;
    for (const [first, other] of this.#pairs) if (scan[first][row] !== scan[other][row]) return false;
    if (!this.#unique) return true;
    const s = scan.s[row]!;
    const p = scan.p[row]!;
    const o = scan.o[row]!;
    if (s === this.#lastS && p === this.#lastP && o === this.#lastO) return false;
    this.#lastS = s;
    this.#lastP = p;
    this.#lastO = o;
    return true;
  }
}
