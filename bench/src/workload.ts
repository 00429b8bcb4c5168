/** The interface of a workload: parts to measure, each in its own process, and comparisons between them. */
import type { Line } from './report/report.js';
import type { Answer } from './sparql/answer.js';

/** Files and stores that a workload reads. They are made once, before the first measurement that needs them. */
export type Need =
  | 'bsbm-1m'
  | 'bsbm-100k'
  | 'bsbm-1m.ttl'
  | 'bsbm-1m.rdf'
  | 'bsbm-100k.jsonld'
  | 'bsbm-queries'
  | 'fibo'
  | 'fibo-2026q2'
  | 'schemaorg'
  | 'sparqloscope'
  | 'watdiv'
  | 'watdiv-10'
  | 'store-1m'
  | 'store-1m-history'
  | 'store-100k'
  | 'store-repositories'
  | 'quadstore-1m'
  | 'quadstore-100k'
  | 'virtuoso-1m';

/** The storages of Quadrille's stores. */
export const STORAGES = ['leveldb', 'lmdb', 'memory'] as const;
export type Storage = (typeof STORAGES)[number];

/** Sizes of the parts of the suite `scale`. */
export interface Sizes {
  readonly quads: number;
  readonly repositories: number;
  readonly revisions: number;
  /** Number of subjects whose values the revisions replace. */
  readonly subjects: number;
}

/** Parameters of measurements from the command line. */
export interface Demand {
  /** Names of queries; empty for all. */
  readonly queries: readonly string[];
  /** Size of an upload in megabytes. */
  readonly megabytes: number;
  readonly sizes: Sizes;
  /** Seed of the data of the suites `ordinary` and `shapes`, and of the queries of `shapes`. */
  readonly seed: number;
}

/** The environment of a measurement. */
export interface Context extends Demand {
  /** The path of each need: a file or a directory. */
  readonly paths: Readonly<Partial<Record<Need, string>>>;
  /** The storage of Quadrille's store. */
  readonly storage: Storage;
  /** An empty directory for this measurement only. It is removed afterwards. */
  readonly scratch: string;
}

export interface Meters {
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

/** The largest or smallest accepted value of a figure. */
export type Bound = { readonly most: number } | { readonly least: number };

export interface Figure {
  readonly value: number;
  readonly unit: string;
  /** The promised bound. */
  readonly bound?: Bound;
  /** Whether the measurement was given up, so that the true value is greater. */
  readonly atLeast?: boolean;
  /** The answers by text. Figures of one name with different answers cannot be compared. */
  readonly answers?: readonly Answer[];
  /** CPU time and memory of the measured process, if the part started its own. */
  readonly meters?: Meters;
}
/** Figures by name. */
export type Figures = Readonly<Record<string, Figure>>;

/** One process of a run. */
export interface Part {
  /** The measured store: `quadrille`, another store, or `control`. */
  readonly backend: string;
  /** The native store that it needs. It is measured only if that store is named. */
  readonly peer?: string;
  readonly needs: readonly Need[];
  /** The storages of Quadrille over which it can be measured. Default: LevelDB only. */
  readonly storages?: readonly Storage[];
  /** Whether it is measured in the first run only, because it takes long. */
  readonly once?: boolean;
  /** Describes what is missing to measure it; `undefined` if nothing is missing. */
  readonly lacks?: () => string | undefined;
  measure(context: Context): Promise<Figures>;
}

/**
 * Compares a figure of `quadrille` with that of another backend in the same run: ratio, difference or inverse ratio.
 */
export interface Comparison {
  readonly figure: string;
  readonly backend: string;
  readonly how: 'ratio' | 'difference' | 'inverse';
  /** Name of the other backend's figure, if it differs. */
  readonly beside?: string;
}

/** The geometric mean of several figures of a backend, each divided by that of `quadrille`. */
export interface MeanComparison {
  readonly name: string;
  readonly figures: readonly string[];
  readonly backend: string;
}

export interface Workload {
  readonly name: string;
  readonly parts: Readonly<Record<string, Part>>;
  readonly comparisons?: readonly Comparison[];
  readonly means?: readonly MeanComparison[];
  /** What the figures mean, in sentences after them. */
  readonly verdicts?: (lines: readonly Line[]) => readonly string[];
  /** Layout as text: one line per figure (default), or a table with one column per backend. */
  readonly layout?: 'lines' | 'columns';
}

/** The path of a need that the part has requested. */
export function pathOf(context: Context, need: Need): string {
  const path = context.paths[need];
  if (path === undefined) throw new Error(`${need} was not prepared: add it to the needs of this part`);
  return path;
}

export const figure = (value: number, unit: string): Figure => ({ value, unit });
export const bounded = (value: number, unit: string, bound: Bound): Figure => ({ value, unit, bound });
