/** The jobs of the comparison's processes, and their replies. */
import type { GeneratorOptions } from '../generate/entities.js';
import type { Phase } from '../stores/store.js';
import type { Figures, Meters } from '../workload.js';

/** Makes the plan. */
export interface PlanJob {
  readonly task: 'plan';
  /** Files of the user. If there are none, data are generated. */
  readonly files: readonly string[];
  readonly generate: GeneratorOptions;
  /** Query texts by name. If there are none, default queries are used. */
  readonly queries: Readonly<Record<string, string>>;
  /** Directory for the store and the file. */
  readonly directory: string;
  readonly plan: string;
}
export interface PhaseJob {
  readonly task: Phase;
  readonly store: string;
  /** Directory of the store: empty for a load, otherwise with the loaded data. */
  readonly directory: string;
  readonly plan: string;
}
/** Loads the sample, for the estimate. */
export interface ProbeJob extends Omit<PhaseJob, 'task'> {
  readonly task: 'probe';
}
export type Job = PlanJob | ProbeJob | PhaseJob;

export type JobReply =
  | ({ readonly type: 'done'; readonly figures: Figures } & Meters)
  | { readonly type: 'failed'; readonly message: string; readonly code?: string };
