/** The results of a comparison. The JSON file contains this object; the other reports are made of it. */
import type { Measurement } from './measurements.js';
import type { DataSummary } from './plan.js';
import type { Runs } from './schedule.js';
import type { Verdict } from './verdict.js';

export interface MeasuredStore {
  readonly name: string;
  readonly title: string;
  readonly role: 'backend' | 'peer';
  readonly persistent: boolean;
  /** Versions of the packages that it needs. */
  readonly versions: Readonly<Record<string, string>>;
  /** The calls that scans and lookups use. */
  readonly read?: string;
  /** How to use the store. */
  readonly use?: string;
  readonly note?: string;
}

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
  /**
   * Average number of processes that wanted to run in the last minute, before and after. Above 1 or 2, the figures
   * are disturbed.
   */
  readonly load: readonly [before: number, after: number];
}

export interface ComparisonReport {
  /** Version of this document's format. */
  readonly format: 2;
  readonly time: string;
  readonly quadrille: string;
  /** The command that repeats the comparison. */
  readonly command: string;
  readonly machine: Machine;
  readonly data: DataSummary;
  readonly queries: readonly { readonly name: string; readonly texts: readonly string[] }[];
  /** How often each measurement was made at least and at most. */
  readonly runs: Runs;
  /** Why the comparison ended before everything was measured. */
  readonly ended?: 'interrupted' | 'time is up';
  readonly seconds: number;
  /** The other stores are compared with the first one. */
  readonly stores: readonly MeasuredStore[];
  readonly measurements: readonly Measurement[];
  readonly overall: string;
  readonly verdicts: readonly Verdict[];
  /** What could not be measured, and the reason. */
  readonly failures: readonly { readonly store: string; readonly what: string; readonly reason: string }[];
}
