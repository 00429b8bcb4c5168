/** A cache of plans by algebra, repository and choice of graphs. */
import { termToText } from '@quadrille/model';
import type { GraphSelection } from '../dataset/dataset-view.js';
import { WHOLE_DATASET } from '../dataset/dataset-view.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import type { PlannedQuery } from '../plan/planner.js';

interface Entry extends PlannedFor {
  readonly planned: PlannedQuery;
}

// A plan made for a few quads may be a bad one for many.
const GROWTH = 2;
const SLACK_QUADS = 1000;
const MOST_SELECTIONS = 8;

export class PlanCache {
  readonly #plans = new WeakMap<object, WeakMap<object, Map<string, Entry>>>();

  /** `algebra` is compared by identity: the parser gives the same object for the same text. */
  get(
    algebra: object,
    dataset: IdDataset,
    selection: GraphSelection,
    make: () => Promise<PlannedQuery>,
  ): PlannedQuery | Promise<PlannedQuery> {
    const entries = this.#entries(algebra, dataset.planKey);
    const key = selectionKey(selection);
    const known = entries.get(key);
    return known !== undefined && holds(known, dataset) ? known.planned : this.#make(entries, key, dataset, make);
  }

  async #make(
    entries: Map<string, Entry>,
    key: string,
    dataset: IdDataset,
    make: () => Promise<PlannedQuery>,
  ): Promise<PlannedQuery> {
    const planned = await make();
    if (entries.size >= MOST_SELECTIONS) entries.clear();
    entries.set(key, { planned, size: dataset.size, hasNamedGraphs: dataset.hasNamedGraphs });
    return planned;
  }

  #entries(algebra: object, planKey: object): Map<string, Entry> {
    let byDataset = this.#plans.get(algebra);
    if (byDataset === undefined) this.#plans.set(algebra, (byDataset = new WeakMap()));
    let entries = byDataset.get(planKey);
    if (entries === undefined) byDataset.set(planKey, (entries = new Map()));
    return entries;
  }
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

export function selectionKey(selection: GraphSelection): string {
  if (selection === WHOLE_DATASET) return '';
  const names = selection.default.map((source) => (typeof source === 'string' ? source : termToText(source)));
  const named = selection.named === 'all' ? ['all'] : ['', ...selection.named.map(termToText)];
  return JSON.stringify([names, named]);
}
