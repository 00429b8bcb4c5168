/** Differences of two revisions: their size, and their changes page by page. */
import { getJson, parametersOf, request } from './client.js';
import { type ChangeRecord, getRevision, refOf, type RevisionRecord } from './revisions.js';
import { asProblem, type Problem } from './errors.js';

export interface PredicateCount {
  /** In N-Triples syntax. */
  readonly term: string;
  readonly added: number;
  readonly removed: number;
}

export interface DiffSummary {
  readonly added: number;
  readonly removed: number;
  /** Those with the most changes first. */
  readonly predicates: readonly PredicateCount[];
}

export interface DiffPart {
  readonly from: string;
  readonly to: string;
  /** In N-Triples syntax; undefined for all. */
  readonly predicate?: string | undefined;
  readonly start: number;
  readonly limit: number;
}

export interface DiffPage {
  readonly changes: readonly ChangeRecord[];
  /** Whether others follow. */
  readonly hasMore: boolean;
}

export const readSummary = (repository: string, from: string, to: string, signal?: AbortSignal): Promise<DiffSummary> =>
  getJson(`${repository}/diff${parametersOf({ from: refOf(from), to: refOf(to), summary: 1 })}`, signal);

export async function readDiffPage(repository: string, part: DiffPart, signal?: AbortSignal): Promise<DiffPage> {
  const { from, to, predicate, start, limit } = part;
  const parameters = { from: refOf(from), to: refOf(to), pred: predicate, cursor: start, limit };
  const init = { headers: { Accept: 'application/json' }, ...(signal && { signal }) };
  const response = await request(`${repository}/diff${parametersOf(parameters)}`, init);
  const changes = (await response.json()) as ChangeRecord[];
  return { changes, hasMore: response.headers.get('Link')?.includes('rel="next"') === true };
}

/** A reference with the revision that it names, or why it names none. */
export interface End {
  readonly ref: string;
  readonly revision?: RevisionRecord;
  readonly problem?: Problem;
}

export async function readEnd(repository: string, ref: string, signal?: AbortSignal): Promise<End> {
  try {
    return { ref, revision: await getRevision(repository, ref, signal) };
  } catch (error) {
    const problem = asProblem(error);
    // Whatever else fails may succeed again.
    if (![400, 404, 410, 422].includes(problem.status)) throw error;
    return { ref, problem };
  }
}
