/** A cache of plans by request, repository and choice of graphs. */
import { termToText } from '@quadrille/model';
import type { GraphSelection } from '../dataset/dataset-view.js';
import { WHOLE_DATASET } from '../dataset/dataset-view.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import type { PlannedQuery } from '../plan/planner.js';
import { planBudget } from './plan-budget.js';

interface Entry extends PlannedFor {
  readonly planned: PlannedQuery;
  /** The other repositories that the plan reads, in their order. */
  readonly others: readonly (PlannedFor & { readonly planKey: object })[];
}

// A plan made for a few quads may be a bad one for many.
const GROWTH = 2;
const SLACK_QUADS = 1000;
const MOST_SELECTIONS = 8;
const NONE: readonly IdDataset[] = [];

export class PlanCache {
  readonly #plans = new WeakMap<object, WeakMap<object, Map<string, Entry>>>();

  /**
   * `request` is compared by identity: the parser gives the same object for the same text. `graphs`: the choice of graphs, as
   * {@link graphsKey} writes it.
   */
  get(
    request: object,
    dataset: IdDataset,
    graphs: string,
    make: () => PlannedQuery | Promise<PlannedQuery>,
    others: readonly IdDataset[] = NONE,
  ): PlannedQuery | Promise<PlannedQuery> {
    const entries = this.#entries(request, dataset.planKey);
    const known = entries.get(graphs);
    if (known !== undefined && holds(known, dataset) && holdsOthers(known.others, others)) return known.planned;
    const keep = (planned: PlannedQuery): PlannedQuery => {
      const { size, hasNamedGraphs } = dataset;
      const entry = { planned, size, hasNamedGraphs, others: others.map(stateOf) };
      if (entries.size >= MOST_SELECTIONS) entries.clear();
      if (planBudget.keep(planned.bytes, dropFrom(entries, graphs, entry))) entries.set(graphs, entry);
      return planned;
    };
    const planned = make();
    return planned instanceof Promise ? planned.then(keep) : keep(planned);
  }

  #entries(request: object, planKey: object): Map<string, Entry> {
    let byDataset = this.#plans.get(request);
    if (byDataset === undefined) this.#plans.set(request, (byDataset = new WeakMap()));
    let entries = byDataset.get(planKey);
    if (entries === undefined) byDataset.set(planKey, (entries = new Map()));
    return entries;
  }
}

/** Takes an entry out of a cache. It does not keep the cache, which goes with its repository. */
function dropFrom(all: Map<string, Entry>, key: string, dropped: Entry): () => void {
  const entries = new WeakRef(all);
  const entry = new WeakRef(dropped);
  return () => {
    if (entries.deref()?.get(key) === entry.deref()) entries.deref()?.delete(key);
  };
}

/** What a dataset was like when a plan was made. */
export interface PlannedFor {
  readonly size: number;
  readonly hasNamedGraphs: boolean;
}

/** Whether a plan is good for what the dataset is like now. */
export function holds({ size, hasNamedGraphs }: PlannedFor, dataset: IdDataset): boolean {
  if (hasNamedGraphs !== dataset.hasNamedGraphs) return false;
  return dataset.size <= size * GROWTH + SLACK_QUADS && size <= dataset.size * GROWTH + SLACK_QUADS;
}

const stateOf = ({ planKey, size, hasNamedGraphs }: IdDataset): Entry['others'][number] => ({
  planKey,
  size,
  hasNamedGraphs,
});

const holdsOthers = (known: Entry['others'], others: readonly IdDataset[]): boolean =>
  known.length === others.length &&
  known.every((one, i) => one.planKey === others[i]!.planKey && holds(one, others[i]!));

export function selectionKey(selection: GraphSelection): string {
  if (selection === WHOLE_DATASET) return '';
  const names = selection.default.map((source) => (typeof source === 'string' ? source : termToText(source)));
  const named = selection.named === 'all' ? ['all'] : ['', ...selection.named.map(termToText)];
  return JSON.stringify([names, named]);
}
