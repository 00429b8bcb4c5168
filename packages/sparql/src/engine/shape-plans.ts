/** Plans of queries that share an algebra: a query with other terms than one before needs no planning, where their counts are alike. */
import type * as RDF from '@rdfjs/types';
import type { Operation } from '../algebra/algebra.js';
import type { KeptPlan } from '../algebra/request.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import type { Constants } from '../plan/constants.js';
import { type Estimate, Figures, type PatternFigures } from '../plan/figures.js';
import type { PlannedQuery } from '../plan/planner.js';
import { planBudget } from './plan-budget.js';
import { holds, type PlannedFor } from './plan-cache.js';

/** A plan for terms that are about as frequent as those that it was made for. */
interface Variant extends PlannedFor {
  /** `undefined` after it was dropped: texts may still know of it. */
  planned: PlannedQuery | undefined;
  /** Where it is kept, by choices of graphs, and for which one. */
  readonly all: Variants;
  readonly graphs: string;
  readonly looks: readonly Look[];
}
type Variants = Map<string, readonly Variant[]>;

/** A look at whether a pattern matches about as many quads as it did when a plan was made. */
interface Look {
  readonly estimate: Estimate;
  /** The parameters that decide it, and the terms that they had when it did last: most texts have the same predicates. */
  readonly parameters: readonly RDF.Term[];
  terms: readonly string[];
}

/** What a plan is asked for. */
export interface AskedShape {
  readonly algebra: Operation;
  readonly dataset: IdDataset;
  /** The choice of graphs, as {@link graphsKey} writes it. */
  readonly graphs: string;
  /** Gives the terms of parameters. */
  readonly resolve: (term: RDF.Term) => RDF.Term;
  /** Of the text. */
  readonly kept: KeptPlan | undefined;
}

/** Choices of graphs for one query. */
const MOST_SELECTIONS = 8;
/** Plans of one query, for terms that are rare or frequent. */
const MOST_VARIANTS = 16;
/** Counts are alike if both are small, or one is at most so many times the other. */
const FEW_ROWS = 32;
const MOST_TIMES = 4;

export class ShapePlans {
  readonly #variants = new WeakMap<Operation, WeakMap<object, Variants>>();

  /** A plan for the terms that `resolve` gives; `make` makes one. A promise only where something is fetched or planned. */
  get(asked: AskedShape, make: () => Promise<PlannedQuery>): PlannedQuery | Promise<PlannedQuery> {
    const { algebra, dataset, graphs, kept } = asked;
    const all = this.#of(algebra, dataset.planKey);
    const last = kept?.plan as Variant | undefined;
    if (last?.planned !== undefined && last.all === all && last.graphs === graphs && holds(last, dataset)) {
      return last.planned;
    }
    return this.#among(asked, all, all.get(graphs) ?? [], 0, make);
  }

  /** The first plan from `from` on that is good for the terms, or a new one. */
  #among(
    asked: AskedShape,
    all: Variants,
    variants: readonly Variant[],
    from: number,
    make: () => Promise<PlannedQuery>,
  ): PlannedQuery | Promise<PlannedQuery> {
    const { dataset, resolve, kept } = asked;
    for (let at = from; at < variants.length; at++) {
      const variant = variants[at]!;
      const { planned } = variant;
      if (planned === undefined || !holds(variant, dataset)) continue;
      const taken = (): PlannedQuery => {
        if (kept !== undefined) kept.plan = variant;
        return planned;
      };
      const alike = areAllAlike(variant.looks, resolve, new Figures(dataset, planned.constants, resolve));
      if (alike instanceof Promise) {
        return alike.then((isAlike) => (isAlike ? taken() : this.#among(asked, all, variants, at + 1, make)));
      }
      if (alike) return taken();
    }
    return this.#make(asked, all, make);
  }

  async #make(
    { dataset, graphs, resolve, kept }: AskedShape,
    all: Variants,
    make: () => Promise<PlannedQuery>,
  ): Promise<PlannedQuery> {
    const planned = await make();
    const { size, hasNamedGraphs } = dataset;
    if (all.size >= MOST_SELECTIONS) all.clear();
    const looks = planned.estimates.map((estimate) => lookAt(estimate, planned.constants, resolve));
    const variant: Variant = { planned, size, hasNamedGraphs, all, graphs, looks };
    if (!planBudget.keep(planned.bytes, dropFrom(all, graphs, variant))) return planned;
    const others = (all.get(graphs) ?? []).filter((other) => other.planned !== undefined && holds(other, dataset));
    all.set(graphs, [variant, ...others.slice(0, MOST_VARIANTS - 1)]);
    if (kept !== undefined) kept.plan = variant;
    return planned;
  }

  #of(algebra: Operation, planKey: object): Variants {
    let byDataset = this.#variants.get(algebra);
    if (byDataset === undefined) this.#variants.set(algebra, (byDataset = new WeakMap()));
    let variants = byDataset.get(planKey);
    if (variants === undefined) byDataset.set(planKey, (variants = new Map()));
    return variants;
  }
}

/** Takes a variant out of a cache. It does not keep the cache, which goes with its repository. */
function dropFrom(all: Variants, key: string, dropped: Variant): () => void {
  const weak = new WeakRef(all);
  const variant = new WeakRef(dropped);
  return () => {
    const gone = variant.deref();
    if (gone !== undefined) gone.planned = undefined;
    const variants = weak.deref();
    const others = variants?.get(key)?.filter((other) => other !== gone) ?? [];
    if (others.length > 0) variants?.set(key, others);
    else variants?.delete(key);
  };
}

function lookAt(estimate: Estimate, { all }: Constants, resolve: AskedShape['resolve']): Look {
  const { pattern, range } = estimate;
  const parameters = [pattern.s, pattern.p, pattern.o, pattern.g].flatMap((position) =>
    'constant' in position ? all[position.constant]!.term : [],
  );
  parameters.push(...(range?.comparisons.map(({ value }) => value) ?? []));
  return { estimate, parameters, terms: parameters.map((parameter) => resolve(parameter).value) };
}

/** Whether patterns match about as many quads as they did when a plan was made. */
function areAllAlike(
  looks: readonly Look[],
  resolve: AskedShape['resolve'],
  figures: Figures,
  from = 0,
): boolean | Promise<boolean> {
  for (let at = from; at < looks.length; at++) {
    const look = looks[at]!;
    const { estimate, parameters } = look;
    if (parameters.every((parameter, i) => resolve(parameter).value === look.terms[i])) continue;
    const alike = (now: PatternFigures): boolean => {
      if (!isAlike(estimate, now)) return false;
      look.terms = parameters.map((parameter) => resolve(parameter).value);
      return true;
    };
    const now = figures.now(estimate.pattern, estimate.range);
    if (now instanceof Promise) {
      return now.then((found) => alike(found) && areAllAlike(looks, resolve, figures, at + 1));
    }
    if (!alike(now)) return false;
  }
  return true;
}

function isAlike({ pattern, figures: before }: Estimate, now: PatternFigures): boolean {
  if (!areAlike(before.rows, now.rows)) return false;
  for (const [name, count] of before.distinct) if (!areAlike(count, now.distinct.get(name) ?? 0)) return false;
  // They decide whether the graph is read, or what matches in all graphs. A known subject is looked up in any case.
  return pattern.s.kind === 'constant' || areNamedAlike(before.named, now.named);
}

function areNamedAlike(one: PatternFigures['named'], other: PatternFigures['named']): boolean {
  if (one === undefined || other === undefined) return true;
  return areAlike(one.graph, other.graph) && areAlike(one.everywhere, other.everywhere);
}

function areAlike(one: number, other: number): boolean {
  const [few, many] = one < other ? [one, other] : [other, one];
  return many <= FEW_ROWS || many <= few * MOST_TIMES;
}
