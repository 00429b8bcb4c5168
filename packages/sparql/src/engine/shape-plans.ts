/** Plans of queries that share an algebra: a query with other terms than one before needs no planning, where their counts are alike. */
import type * as RDF from '@rdfjs/types';
import type { Operation } from '../algebra/algebra.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import { Figures, type PatternFigures } from '../plan/patterns.js';
import type { PlannedQuery } from '../plan/planner.js';
import { planBudget } from './plan-budget.js';
import { holds, type PlannedFor } from './plan-cache.js';

interface Variant extends PlannedFor {
  readonly planned: PlannedQuery;
}
type Variants = Map<string, readonly Variant[]>;

/** Choices of graphs for one query. */
const MOST_SELECTIONS = 8;
/** Plans of one query, for terms that are rare or frequent. */
const MOST_VARIANTS = 4;
/** Counts are alike if both are small, or one is at most so many times the other. */
const FEW_ROWS = 32;
const MOST_TIMES = 4;

export class ShapePlans {
  readonly #variants = new WeakMap<Operation, WeakMap<object, Variants>>();

  /** A plan for the terms that `resolve` gives; `make` makes one. `graphs`: the choice of graphs, as {@link graphsKey} writes it. */
  async get(
    algebra: Operation,
    dataset: IdDataset,
    graphs: string,
    resolve: (term: RDF.Term) => RDF.Term,
    make: () => Promise<PlannedQuery>,
  ): Promise<PlannedQuery> {
    const all = this.#of(algebra, dataset.planKey);
    const variants = (all.get(graphs) ?? []).filter((variant) => holds(variant, dataset));
    for (const { planned } of variants) {
      if (await isAlike(planned, new Figures(dataset, planned.constants, resolve))) return planned;
    }
    const planned = await make();
    const { size, hasNamedGraphs } = dataset;
    if (all.size >= MOST_SELECTIONS) all.clear();
    const variant = { planned, size, hasNamedGraphs };
    if (planBudget.keep(planned.bytes, dropFrom(all, graphs, variant)))
      all.set(graphs, [variant, ...variants.slice(0, MOST_VARIANTS - 1)]);
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
    const variants = weak.deref();
    const others = variants?.get(key)?.filter((other) => other !== variant.deref()) ?? [];
    if (others.length > 0) variants?.set(key, others);
    else variants?.delete(key);
  };
}

async function isAlike({ estimates }: PlannedQuery, figures: Figures): Promise<boolean> {
  for (const { pattern, range, figures: before } of estimates) {
    const now = await figures.of(pattern, range);
    if (!areAlike(before.rows, now.rows)) return false;
    for (const [name, count] of before.distinct) if (!areAlike(count, now.distinct.get(name) ?? 0)) return false;
    // They decide whether the graph is read, or what matches in all graphs. A known subject is looked up in any case.
    const isLookedUp = pattern.s.kind === 'constant';
    if (!isLookedUp && !areNamedAlike(before.named, now.named)) return false;
  }
  return true;
}

function areNamedAlike(one: PatternFigures['named'], other: PatternFigures['named']): boolean {
  if (one === undefined || other === undefined) return true;
  return areAlike(one.graph, other.graph) && areAlike(one.everywhere, other.everywhere);
}

function areAlike(one: number, other: number): boolean {
  const [few, many] = one < other ? [one, other] : [other, one];
  return many <= FEW_ROWS || many <= few * MOST_TIMES;
}
