/** Results of campaigns: one line of JSON for each part of a campaign. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const RESULTS = join(import.meta.dirname, 'results.jsonl');

export interface Fault {
  readonly what: string;
  /** The commit that mends it. */
  readonly commit: string | null;
}

export interface Result {
  readonly kind: string;
  readonly seed: string;
  /** Number of the first run. */
  readonly first: number;
  readonly runs: number;
  /** Where a run has several. */
  readonly operations?: number;
  readonly minutes: number;
  /** The commit that was tried. */
  readonly commit: string;
  /** The day of the end, as YYYY-MM-DD in UTC. */
  readonly day: string;
  /** SHA-256 over the digests of all runs, in their order. */
  readonly digest: string;
  readonly faults: readonly Fault[];
}

export function readResults(path = RESULTS): Result[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Result);
}

export const appendResult = (result: Result, path = RESULTS): void =>
  appendFileSync(path, `${JSON.stringify(result)}\n`);
