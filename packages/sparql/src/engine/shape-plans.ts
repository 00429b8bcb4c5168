/** Plans by the shape of their queries: a query with other terms than one before needs no planning, where their counts are alike. */
import { RecentMap } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { Operation } from '../algebra/algebra.js';
import { placeholderIndex } from '../algebra/template.js';
import type { GraphSelection } from '../dataset/dataset-view.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import { Figures } from '../plan/patterns.js';
import type { PlannedQuery } from '../plan/planner.js';
import { holds, type PlannedFor, selectionKey } from './plan-cache.js';
import { type QueryShape, shapeOf, withPlaceholders } from './query-shape.js';

interface Variant extends PlannedFor {
  readonly planned: PlannedQuery;
}
type Resolve = (term: RDF.Term) => RDF.Term;
type Make = (pattern: Operation, resolve: Resolve) => Promise<PlannedQuery>;

/** Shapes of one repository. */
const MOST_SHAPES = 256;
/** Plans of one shape, for terms that are rare or frequent. */
const MOST_VARIANTS = 4;
/** Counts are alike if both are small, or one is at most so many times the other. */
const FEW_ROWS = 32;
const MOST_TIMES = 4;

export class ShapePlans {
  readonly #shapes = new WeakMap<object, RecentMap<string, readonly Variant[]>>();

  /** The plan of a query; `make` plans it, or the query with placeholders. */
  async plan(
    pattern: Operation,
    variables: readonly string[],
    dataset: IdDataset,
    selection: GraphSelection,
    make: Make,
  ): Promise<PlannedQuery> {
    const shape = shapeOf(pattern, variables);
    if (shape === undefined) return make(pattern, (term) => term);
    const shapes = this.#of(dataset.planKey);
    const key = `${shape.key}${selectionKey(selection)}`;
    const variants = (shapes.get(key) ?? []).filter((variant) => holds(variant, dataset));
    const resolve = resolveBy(shape);
    for (const { planned } of variants) {
      const constants = planned.constants.map(resolve);
      if (await isAlike(planned, new Figures(dataset, constants, (term) => term))) return { ...planned, constants };
    }
    const planned = await make(withPlaceholders(pattern), resolve);
    const { size, hasNamedGraphs } = dataset;
    shapes.set(key, [{ planned, size, hasNamedGraphs }, ...variants.slice(0, MOST_VARIANTS - 1)]);
    return { ...planned, constants: planned.constants.map(resolve) };
  }

  #of(planKey: object): RecentMap<string, readonly Variant[]> {
    let shapes = this.#shapes.get(planKey);
    if (shapes === undefined) this.#shapes.set(planKey, (shapes = new RecentMap(MOST_SHAPES)));
    return shapes;
  }
}

const resolveBy =
  ({ values }: QueryShape): Resolve =>
  (term) =>
    (term.termType === 'NamedNode' ? values[placeholderIndex(term.value) ?? -1] : undefined) ?? term;

async function isAlike({ estimates }: PlannedQuery, figures: Figures): Promise<boolean> {
  for (const { pattern, rows } of estimates) {
    const now = (await figures.of(pattern)).rows;
    const [few, many] = now < rows ? [now, rows] : [rows, now];
    if (many > FEW_ROWS && many > few * MOST_TIMES) return false;
  }
  return true;
}
