/** The results of a comparison. The JSON file contains this object; the other reports are made of it. */
import type { Measurement } from './measurements.js';
import type { DataSummary } from './plan.js';
import type { Runs } from './schedule.js';
import type { Verdict } from './verdict.js';

/** A store in a report. */
export interface MeasuredStore {
  /** The name by which the command chooses the store. */
  readonly name: string;
  /** The name for readers. */
  readonly title: string;
  /** A backend of Quadrille, or another store. */
  readonly role: 'backend' | 'peer';
  /** Whether the data remain after the process has ended. */
  readonly persistent: boolean;
  /** Versions of the packages that it needs. */
  readonly versions: Readonly<Record<string, string>>;
  /** The calls that scans and lookups use. */
  readonly read?: string;
  /** How to use the store. */
  readonly use?: string;
  /** What to consider when reading its figures. */
  readonly note?: string;
}

/** The machine on which the stores were measured. */
export interface Machine {
  /** The model of the processor. */
  readonly processor: string;
  /** The number of cores that the operating system reports. */
  readonly cores: number;
  /** The memory of the machine, in bytes. */
  readonly memoryBytes: number;
  /** The operating system and its version. */
  readonly system: string;
  /** The version of Node.js. */
  readonly node: string;
  /**
   * Average number of processes that wanted to run in the last minute, before and after. Above 1 or 2, the figures
   * are disturbed.
   */
  readonly load: readonly [before: number, after: number];
}

/** The results of a comparison. */
export interface ComparisonReport {
  /** Version of this document's format. */
  readonly format: 2;
  /** When the comparison began (ISO 8601). */
  readonly time: string;
  /** The version of Quadrille. */
  readonly quadrille: string;
  /** The command that repeats the comparison. */
  readonly command: string;
  /** The machine on which the stores were measured. */
  readonly machine: Machine;
  /** The data that were loaded. */
  readonly data: DataSummary;
  /** The measured queries: name and texts, which are run in turn. */
  readonly queries: readonly {
    /** The name of the query in the figures. */
    readonly name: string;
    /** Texts with different constants. */
    readonly texts: readonly string[];
  }[];
  /** How often each measurement was made at least and at most. */
  readonly runs: Runs;
  /** Why the comparison ended before everything was measured. */
  readonly ended?: 'interrupted' | 'time is up';
  /** The duration of the comparison, in seconds. */
  readonly seconds: number;
  /** The other stores are compared with the first one. */
  readonly stores: readonly MeasuredStore[];
  /** The figures, sorted by kind of work. */
  readonly measurements: readonly Measurement[];
  /** The overall result in one sentence. */
  readonly overall: string;
  /** The results by store and kind of work. */
  readonly verdicts: readonly Verdict[];
  /** What could not be measured, and the reason. */
  readonly failures: readonly {
    /** The name of the store. */
    readonly store: string;
    /** The phase or figure. */
    readonly what: string;
    /** The text of the error. */
    readonly reason: string;
  }[];
}
