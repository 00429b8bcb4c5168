/** What a process of the comparison is started for, and what it says when it is done. */
import type { GeneratorOptions } from '../generate/entities.js';
import type { Phase } from '../stores/store.js';
import type { Figures, Meters } from '../workload.js';

/** Makes the plan. */
export interface PlanJob {
  readonly task: 'plan';
  /** Files of the user; none: generated data. */
  readonly files: readonly string[];
  readonly generate: GeneratorOptions;
  /** Texts by name; none: some of ours. */
  readonly queries: Readonly<Record<string, string>>;
  /** Where the store and the file are made, and the plan is written. */
  readonly directory: string;
  readonly plan: string;
}
export interface PhaseJob {
  readonly task: Phase;
  readonly store: string;
  /** Of the store: empty for a load, else what the load left. */
  readonly directory: string;
  readonly plan: string;
}
export type Job = PlanJob | PhaseJob;

export type JobReply =
  | ({ readonly type: 'done'; readonly figures: Figures } & Meters)
  | { readonly type: 'failed'; readonly message: string; readonly code?: string };
