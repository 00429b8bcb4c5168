/** All that a comparison found: what the JSON file holds, and what the other reports are made of. */
import type { Measurement } from './measurements.js';
import type { DataSummary } from './plan.js';
import type { Verdict } from './verdict.js';

export interface MeasuredStore {
  readonly name: string;
  readonly title: string;
  readonly role: 'backend' | 'peer';
  readonly persistent: boolean;
  /** Of the packages that it needs. */
  readonly versions: Readonly<Record<string, string>>;
  /** How scans and lookups read it. */
  readonly read?: string;
  /** How one takes it. */
  readonly use?: string;
  readonly note?: string;
}

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
  /** Processes that wanted to run, on average of the last minute, before and after: more than 1 or 2 disturbs the figures. */
  readonly load: readonly [before: number, after: number];
}

export interface ComparisonReport {
  /** Of this document. */
  readonly format: 1;
  readonly time: string;
  readonly quadrille: string;
  /** Repeats it. */
  readonly command: string;
  readonly machine: Machine;
  readonly data: DataSummary;
  readonly queries: readonly { readonly name: string; readonly texts: readonly string[] }[];
  readonly runs: number;
  readonly seconds: number;
  /** The first is what the others are compared with. */
  readonly stores: readonly MeasuredStore[];
  readonly measurements: readonly Measurement[];
  readonly overall: string;
  readonly verdicts: readonly Verdict[];
  /** What could not be measured, and why. */
  readonly failures: readonly { readonly store: string; readonly what: string; readonly reason: string }[];
}
