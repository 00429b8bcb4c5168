/** What a workload is: things to measure, each in a process of its own, and how they are compared. */
import type { Answer } from './sparql/answer.js';

/** Files and stores that a workload reads; made once, before the first measurement that needs them. */
export type Need =
  | 'bsbm-1m'
  | 'bsbm-100k'
  | 'bsbm-1m.ttl'
  | 'bsbm-1m.rdf'
  | 'bsbm-100k.jsonld'
  | 'bsbm-queries'
  | 'schemaorg'
  | 'store-1m'
  | 'store-1m-history'
  | 'store-100k'
  | 'store-repositories'
  | 'quadstore-1m'
  | 'quadstore-100k'
  | 'virtuoso-1m';

/** What keeps the stores of the engine. */
export const STORAGES = ['leveldb', 'lmdb', 'memory'] as const;
export type Storage = (typeof STORAGES)[number];

/** How large the parts of the suite `scale` are. */
export interface Sizes {
  readonly quads: number;
  readonly repositories: number;
  readonly revisions: number;
  /** Whose values the revisions replace. */
  readonly subjects: number;
}

/** What a measurement is asked to do, by the command line. */
export interface Demand {
  /** Names of queries; empty for all. */
  readonly queries: readonly string[];
  /** How large an upload is. */
  readonly megabytes: number;
  readonly sizes: Sizes;
}

/** What a measurement works with. */
export interface Context extends Demand {
  /** Where each need is: a file, or a directory. */
  readonly paths: Readonly<Partial<Record<Need, string>>>;
  /** What keeps a store of Quadrille. */
  readonly storage: Storage;
  /** An empty directory of this measurement alone; gone afterwards. */
  readonly scratch: string;
}

export interface Meters {
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

export interface Figure {
  readonly value: number;
  readonly unit: string;
  /** It was given up: the true value is greater. */
  readonly atLeast?: boolean;
  /** What was answered, by text. Figures of one name whose answers differ cannot be compared. */
  readonly answers?: readonly Answer[];
  /** Of the process that was measured, where the part started one of its own. */
  readonly meters?: Meters;
}
/** By name. */
export type Figures = Readonly<Record<string, Figure>>;

/** One process of a run. */
export interface Part {
  /** Who is measured: `quadrille`, another store, or `control`. */
  readonly backend: string;
  readonly needs: readonly Need[];
  /** Where it can be measured over several backends of ours; default: over LevelDB alone. */
  readonly storages?: readonly Storage[];
  /** Takes so long that it is measured in the first run alone. */
  readonly once?: boolean;
  /** What it lacks to be measured here; `undefined` where it lacks nothing. */
  readonly lacks?: () => string | undefined;
  measure(context: Context): Promise<Figures>;
}

/** A figure of `quadrille` set against that of another in the same run: divided by it, less it, or dividing it. */
export interface Comparison {
  readonly figure: string;
  readonly backend: string;
  readonly how: 'ratio' | 'difference' | 'inverse';
  /** The figure of the other, where it is not the same one. */
  readonly beside?: string;
}

/** The geometric mean of what other figures of that backend are, divided by those of `quadrille`. */
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
  /** As text: a line a figure (default), or one a figure with a column for each backend. */
  readonly layout?: 'lines' | 'columns';
}

/** The path of something that the part asked for. */
export function pathOf(context: Context, need: Need): string {
  const path = context.paths[need];
  if (path === undefined) throw new Error(`${need} was not made ready: it is missing in the needs of this part`);
  return path;
}

export const figure = (value: number, unit: string): Figure => ({ value, unit });
