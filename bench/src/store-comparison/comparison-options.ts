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

export interface ComparisonOptions {
  /** The measured stores. The others are compared with the first one. */
  readonly stores: readonly StoreKind[];
  /** Files of the user. If there are none, data are generated. */
  readonly files: readonly string[];
  readonly generate: GeneratorOptions;
  /** Query texts by name. If there are none, default queries are used. */
  readonly queries: Readonly<Record<string, string>>;
  readonly phases: readonly Phase[];
  readonly runs: Runs;
  /** Time after which the comparison ends with what it has, in milliseconds. */
  readonly limitMs?: number;
  /** Directory for stores, on the disk that is to be measured. */
  readonly scratch: string;
  /** Time after which a query is given up, in milliseconds. */
  readonly queryLimitMs: number;
  readonly quadrille: string;
  readonly command: string;
  /** Ends the comparison with what it has. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
}
