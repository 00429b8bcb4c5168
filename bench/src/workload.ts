/** What a workload is: things to measure, each in a process of its own, and how they are compared. */

/** Files and stores that a workload reads; made once, before the first measurement that needs them. */
export type Need = 'bsbm-1m' | 'bsbm-100k' | 'schemaorg' | 'store-1m' | 'store-100k' | 'quadstore-100k';

/** What a measurement finds on disk. */
export interface Context {
  /** Where each need is: a file, or a directory. */
  readonly paths: Readonly<Partial<Record<Need, string>>>;
  /** An empty directory of this measurement alone; gone afterwards. */
  readonly scratch: string;
}

export interface Figure {
  readonly value: number;
  readonly unit: string;
}
/** By name. */
export type Figures = Readonly<Record<string, Figure>>;

/** One process of a run. */
export interface Part {
  /** Who is measured: `quadrille`, another store, or `control`. */
  readonly backend: string;
  readonly needs: readonly Need[];
  measure(context: Context): Promise<Figures>;
}

/** A figure of `quadrille` set against that of another in the same run: divided by it, or less it. */
export interface Comparison {
  readonly figure: string;
  readonly backend: string;
  readonly how: 'ratio' | 'difference';
}

export interface Workload {
  readonly name: string;
  readonly parts: Readonly<Record<string, Part>>;
  readonly comparisons?: readonly Comparison[];
}

/** The path of something that the part asked for. */
export function pathOf(context: Context, need: Need): string {
  const path = context.paths[need];
  if (path === undefined) throw new Error(`${need} was not made ready: it is missing in the needs of this part`);
  return path;
}

export const figure = (value: number, unit: string): Figure => ({ value, unit });
