/** What to compare, and how. */
import type { GeneratorOptions } from '../generate/entities.js';
import type { Phase, StoreKind } from '../stores/store.js';
import type { Runs } from './schedule.js';

/** Where the comparison tells what it does. */
export interface Progress {
  /** What is being done now: replaces the text of the call before. */
  step(what: string): void;
  /** A line that stays: the estimate, a result, a failure. */
  line(text: string): void;
}

/** The options of a comparison of stores. */
export interface ComparisonOptions {
  /** The measured stores. The others are compared with the first one. */
  readonly stores: readonly StoreKind[];
  /** Files of the user. If there are none, data are generated. */
  readonly files: readonly string[];
  /** Options of the generated data. */
  readonly generate: GeneratorOptions;
  /** Query texts by name. If there are none, default queries are used. */
  readonly queries: Readonly<Record<string, string>>;
  /** The phases that are measured. */
  readonly phases: readonly Phase[];
  /** The number of runs of each measurement. */
  readonly runs: Runs;
  /** Time after which the comparison ends with what it has, in milliseconds. */
  readonly limitMs?: number;
  /** Directory for stores, on the disk that is to be measured. */
  readonly scratch: string;
  /** Time after which a query is given up, in milliseconds. */
  readonly queryLimitMs: number;
  /** The version of Quadrille, for the report. */
  readonly quadrille: string;
  /** The command that repeats the comparison, for the report. */
  readonly command: string;
  /** Ends the comparison with what it has. */
  readonly signal: AbortSignal;
  /** Receives progress and results. */
  readonly progress: Progress;
}
