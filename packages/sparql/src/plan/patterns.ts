/** Triple patterns for the planner: their positions, and in which orders the quads that match can be read. */
import type * as RDF from '@rdfjs/types';
import { termVariables, type Pattern } from '../algebra/algebra.js';
import type { IdOrder } from '../dataset/id-dataset.js';
import type { PlanContext } from './context.js';
import type { PatternTerm, PlanPattern } from './plan.js';

/** A triple term with variables: the variable that stands for it in its pattern, and its components. */
export interface TripleMatch {
  readonly term: string;
  readonly s: PatternTerm;
  readonly p: PatternTerm;
  readonly o: PatternTerm;
}

/** Turns the terms of patterns into positions of a plan. Triple terms with variables are taken apart. */
export class PatternMaker {
  readonly matches: TripleMatch[] = [];

  constructor(private readonly planner: Pick<PlanContext, 'constants' | 'newName' | 'graphOf'>) {}

  pattern({ subject, predicate, object, graph }: Pattern): PlanPattern {
    const g = this.planner.graphOf(graph);
    return { s: this.term(subject), p: this.term(predicate), o: this.term(object), g };
  }

  /** The end of a path, which matches itself at length zero also where the data do not have it. */
  end(term: RDF.Term): PatternTerm {
    return term.termType === 'Variable' || termVariables(term).length > 0
      ? this.term(term)
      : { kind: 'constant', constant: this.planner.constants.add(term, true) };
  }

  term(term: RDF.Term): PatternTerm {
    if (term.termType === 'Variable') return { kind: 'variable', name: term.value };
    if (term.termType !== 'Quad' || termVariables(term).length === 0) {
      return { kind: 'constant', constant: this.planner.constants.add(term) };
    }
    const name = this.planner.newName();
    const { subject, predicate, object } = term;
    this.matches.push({ term: name, s: this.term(subject), p: this.term(predicate), o: this.term(object) });
    return { kind: 'variable', name };
  }
}

/** The variables of a pattern, each once. */
export function variablesOf(pattern: PlanPattern): string[] {
  const names = [pattern.s, pattern.p, pattern.o].flatMap((term) => (term.kind === 'variable' ? [term.name] : []));
  if (pattern.g.kind === 'each') names.push(pattern.g.name);
  return [...new Set(names)];
}

type Position = 's' | 'p' | 'o' | 'g';
const ORDERS: readonly IdOrder[] = ['spog', 'posg', 'ospg', 'gspo'];

/** One order in which a pattern can be read. */
export interface ReadOrder {
  readonly order: IdOrder;
  /** The variables that the rows ascend by. */
  readonly sorted: readonly string[];
}

/** The orders in which most constants of a pattern come first; `byGraph`: that of its graph. */
export function readOrders(pattern: PlanPattern, byGraph = false): ReadOrder[] {
  if (byGraph) return [{ order: 'gspo', sorted: sortedBy(pattern, 'gspo') }];
  const { s, p, o, g } = pattern;
  const isInGraph = g.kind === 'named';
  const bound = [s, p, o].map(({ kind }) => kind === 'constant');
  const best = bestOrders({ s: bound[0]!, p: bound[1]!, o: bound[2]!, g: isInGraph }, isInGraph || g.kind === 'each');
  return best.map((order) => ({ order, sorted: sortedBy(pattern, order) }));
}

type Bound = Readonly<Record<Position, boolean>>;

/** By what is bound: there are few cases, and a query has many patterns. */
const knownOrders: (readonly IdOrder[])[] = [];

function bestOrders(bound: Bound, inNamed: boolean): readonly IdOrder[] {
  const flags = [bound.s, bound.p, bound.o, bound.g, inNamed];
  return (knownOrders[flags.reduce((bits, flag) => bits * 2 + (flag ? 1 : 0), 0)] ??= findOrders(bound, inNamed));
}

function findOrders(bound: Bound, inNamed: boolean): IdOrder[] {
  const orders = ORDERS.filter((order) => order !== 'gspo' || inNamed);
  const longest = Math.max(...orders.map((order) => prefixOf(order, bound)));
  return orders.filter((order) => prefixOf(order, bound) === longest);
}

function prefixOf(order: IdOrder, bound: Bound): number {
  const places = [...order] as Position[];
  const end = places.findIndex((place) => !bound[place]);
  return end === -1 ? places.length : end;
}

function sortedBy(pattern: PlanPattern, order: IdOrder): string[] {
  const names: string[] = [];
  for (let place = 0; place < order.length; place++) {
    const name = variableAt(pattern, order[place] as Position);
    // The graph of a pattern without a variable for it is one, or comes last.
    if (name !== undefined && !names.includes(name)) names.push(name);
  }
  return names;
}

function variableAt(pattern: PlanPattern, position: Position): string | undefined {
  if (position === 'g') return pattern.g.kind === 'each' ? pattern.g.name : undefined;
  const term = pattern[position];
  return term.kind === 'variable' ? term.name : undefined;
}
