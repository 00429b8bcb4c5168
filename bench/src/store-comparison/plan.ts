/** The plan: the same file, subjects to look up and queries for all stores. Written once, read by each process. */
import { readFile } from 'node:fs/promises';
import type { PreparedQuery } from '../sparql/query-class.js';

export interface DataSummary {
  /** Description of the data, for the report. */
  readonly source: string;
  readonly quads: number;
  /** Size of the N-Quads file that all stores load. */
  readonly bytes: number;
  readonly subjects: number;
  readonly predicates: number;
  readonly namedGraphs: number;
}

export interface Plan {
  /** Path of a file with N-Quads or N-Triples. */
  readonly file: string;
  readonly data: DataSummary;
  /** IRIs of some subjects, in random order. */
  readonly subjects: readonly string[];
  readonly queries: readonly PreparedQuery[];
  readonly probe: Probe;
}

/** For the estimate of how long the comparison takes. */
export interface Probe {
  /** The beginning of the file, in a file of its own. */
  readonly file: string;
  readonly bytes: number;
  /** How long Quadrille took to read all data of the user, in milliseconds. */
  readonly loadMs: number;
  /** How long Quadrille took for the first run of each query, in milliseconds. */
  readonly queriesMs: readonly number[];
}

export async function readPlan(path: string): Promise<Plan> {
  return JSON.parse(await readFile(path, 'utf8')) as Plan;
}
