/** Branches of a repository, and merges. */
import { getJson, parametersOf, request } from './client.js';
import { type ChangeRecord, messageHeader, refOf, type RevisionRecord, tagOf } from './revisions.js';

export interface BranchRecord {
  readonly name: string;
  readonly head: RevisionRecord;
  /** Where it begins; `main` has none. */
  readonly fork?: RevisionRecord | null;
  /** Whether requests that name none mean it. */
  readonly default?: boolean;
  /** Whether owners alone may change it. */
  readonly protected?: boolean;
}

const pathOf = (repository: string, name: string): string => `${repository}/branches/${encodeURIComponent(name)}`;

export const listBranches = (repository: string, signal?: AbortSignal): Promise<BranchRecord[]> =>
  getJson(`${repository}/branches`, signal);

/** @param from a reference as it is meant on the branch `on` */
export async function createBranch(repository: string, name: string, from: string, on: string): Promise<void> {
  await request(`${pathOf(repository, name)}${parametersOf({ from: refOf(from), branch: on })}`, { method: 'PUT' });
}

export async function renameBranch(repository: string, name: string, to: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await request(pathOf(repository, name), { method: 'PATCH', headers, body: JSON.stringify({ name: to }) });
}

/** @param force also where it has revisions that no other branch has */
export async function deleteBranch(repository: string, name: string, force: boolean): Promise<void> {
  await request(`${pathOf(repository, name)}${parametersOf({ force: force ? 1 : undefined })}`, { method: 'DELETE' });
}

/** Values of a predicate with one value that both sides have changed. Terms are in N-Triples syntax. */
export interface ConflictRecord {
  readonly subject: string;
  readonly predicate: string;
  /** `null` for the default graph. */
  readonly graph: string | null;
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

export interface MergePreview {
  readonly base: RevisionRecord;
  readonly added: number;
  readonly removed: number;
  readonly conflictCount: number;
  /** The first ones. */
  readonly conflicts: readonly ConflictRecord[];
  /** The first ones, without those of conflicts. */
  readonly changes: readonly ChangeRecord[];
  /** The head of the target for which all of this holds. */
  readonly known: string | undefined;
}

export type Side = 'ours' | 'theirs' | 'base';

export type Resolution = Pick<ConflictRecord, 'subject' | 'predicate' | 'graph'> &
  ({ readonly take: Side } | { readonly values: readonly string[] });

export interface MergeRequest {
  readonly source: string;
  readonly target: string;
  readonly message?: string;
  /** For conflicts that no resolution decides. */
  readonly onConflict?: 'ours' | 'theirs' | undefined;
  readonly resolutions?: readonly Resolution[];
  /** The head of the target for which the user has seen the preview. */
  readonly known?: string | undefined;
}

function mergeRequest({ message = '', onConflict, resolutions, known }: MergeRequest): RequestInit {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    ...messageHeader(message),
    ...(known === undefined ? {} : { 'If-Match': `"${known}"` }),
  };
  return { method: 'POST', headers, body: JSON.stringify({ onConflict, resolutions }) };
}

const mergePath = (
  repository: string,
  { source, target }: MergeRequest,
  preview: { preview?: number; limit?: number } = {},
): string => `${pathOf(repository, source)}/merge${parametersOf({ branch: target, ...preview })}`;

/** So many changes are told. */
const MOST_CHANGES = 500;

/** What a merge would do now. It changes nothing, so it is asked again as often as need be. */
export async function previewMerge(
  repository: string,
  merge: MergeRequest,
  signal?: AbortSignal,
): Promise<MergePreview> {
  const init = { ...mergeRequest(merge), ...(signal && { signal }) };
  const path = mergePath(repository, merge, { preview: 1, limit: MOST_CHANGES });
  const response = await request(path, init, 'always');
  return { ...((await response.json()) as Omit<MergePreview, 'known'>), known: tagOf(response) };
}

export interface PickRequest {
  readonly message: string;
  /** Where both sides have set a predicate with one value. */
  readonly onConflict: 'ours' | 'theirs' | undefined;
}

/**
 * Repeats the changes of a revision on the branch that is shown.
 * @throws ApiError 409 where there are conflicts that nothing decides
 */
export async function cherryPick(
  repository: string,
  uuid: string,
  { message, onConflict }: PickRequest,
): Promise<RevisionRecord> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json', ...messageHeader(message) };
  const init = { method: 'POST', headers, body: JSON.stringify({ onConflict }) };
  return (await (await request(`${repository}/revisions/${uuid}/cherry-pick`, init)).json()) as RevisionRecord;
}

/**
 * Merges, as one revision.
 * @throws ApiError 412 where another revision came first; 409 where there are conflicts that nothing decides
 */
export async function mergeBranch(repository: string, merge: MergeRequest): Promise<RevisionRecord> {
  return (await (await request(mergePath(repository, merge), mergeRequest(merge))).json()) as RevisionRecord;
}
