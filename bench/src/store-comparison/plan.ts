/** What all stores are given: the same file, the same subjects to look up, the same queries. Written once, read by each process. */
import { readFile } from 'node:fs/promises';
import type { PreparedQuery } from '../sparql/query-class.js';

export interface DataSummary {
  /** What was measured, for the report. */
  readonly source: string;
  readonly quads: number;
  /** Of the N-Quads file that all stores load. */
  readonly bytes: number;
  readonly subjects: number;
  readonly predicates: number;
  readonly namedGraphs: number;
}

export interface Plan {
  /** N-Quads or N-Triples. */
  readonly file: string;
  readonly data: DataSummary;
  /** IRIs of some subjects, in a random order. */
  readonly subjects: readonly string[];
  readonly queries: readonly PreparedQuery[];
}

export async function readPlan(path: string): Promise<Plan> {
  return JSON.parse(await readFile(path, 'utf8')) as Plan;
}
