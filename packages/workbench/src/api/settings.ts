/** What the owner of a repository sets, and removes from its history. */
import { getJson, parametersOf, request } from './client.js';
import { refOf } from './revisions.js';

export interface RepositoryFields {
  readonly summary: string;
  readonly description: string;
  readonly homepage: string;
  readonly privacy: string;
}

export async function saveFields(repository: string, fields: RepositoryFields): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await request(`${repository}/meta`, { method: 'PUT', headers, body: JSON.stringify({ repository: fields }) });
}

export async function removeNamespace(repository: string, prefix: string): Promise<void> {
  await request(`${repository}/namespaces/${encodeURIComponent(prefix)}`, { method: 'DELETE' });
}

export async function setTag(repository: string, name: string, ref: string): Promise<void> {
  const path = `${repository}/refs/${encodeURIComponent(name)}`;
  await request(path, { method: 'PUT', headers: { 'Content-Type': 'text/plain' }, body: ref });
}

export async function removeTag(repository: string, name: string): Promise<void> {
  await request(`${repository}/refs/${encodeURIComponent(name)}`, { method: 'DELETE' });
}

export interface CollaboratorRights {
  readonly read: boolean;
  readonly write: boolean;
}

/** By account. For the owner alone. */
export const listCollaborators = (repository: string): Promise<Readonly<Record<string, CollaboratorRights>>> =>
  getJson(`${repository}/collaborators`);

export async function setCollaborator(repository: string, account: string, write: boolean): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ read: true, write });
  await request(`${repository}/collaborators/${encodeURIComponent(account)}`, { method: 'PUT', headers, body });
}

export async function removeCollaborator(repository: string, account: string): Promise<void> {
  await request(`${repository}/collaborators/${encodeURIComponent(account)}`, { method: 'DELETE' });
}

/** What holds for all branches of a repository. Earlier servers know not all of it. */
export interface RepositoryRules {
  /** IRIs of predicates with one value for each subject. */
  readonly functional: readonly string[];
  /** The graph with the shapes that every revision obeys. */
  readonly shapes?: string | null;
  /** `report` commits what violates the shapes. */
  readonly shapesMode?: 'refuse' | 'report';
  /** Statements of the shapes that have no meaning. */
  readonly shapesWarnings?: readonly ShapesWarning[];
  readonly defaultBranch?: string;
  /** Branches that owners alone change. */
  readonly protected?: readonly string[];
  /** Which revisions compaction keeps. Missing: all of them. */
  readonly retention?: Retention | null;
}

export interface ShapesWarning {
  readonly shape: string;
  readonly statement: string;
  readonly reason: string;
}

/** A revision stays if any member says so. */
export interface Retention {
  /** The newest ones, by number. */
  readonly last?: number;
  /** Those that are younger, in days. */
  readonly days?: number;
  /** The newest ones of each day, by number. */
  readonly perDay?: number;
}

/** For the owner alone. */
export const getRules = (repository: string, signal?: AbortSignal): Promise<RepositoryRules> =>
  getJson(`${repository}/settings`, signal);

/** @param changes `null` resets a member, and one that is missing stays */
export async function saveRules(
  repository: string,
  changes: { readonly [Name in keyof RepositoryRules]?: RepositoryRules[Name] | null },
): Promise<RepositoryRules> {
  const headers = { 'Content-Type': 'application/json' };
  const init = { method: 'PATCH', headers, body: JSON.stringify(changes) };
  return (await (await request(`${repository}/settings`, init)).json()) as RepositoryRules;
}

export interface TrimRequest {
  /** A reference, or a time: this revision and later ones stay. */
  readonly before?: string | undefined;
  /** The number of the newest revisions that stay. */
  readonly last?: number | undefined;
  /** The number of the last revisions of each day that stay. */
  readonly perDay?: number | undefined;
  /** Whether statements from before go too. */
  readonly content: boolean;
}

export interface TrimReport {
  readonly trimmed: number;
  readonly kept: number;
  readonly bytesFreed: number;
}

/** Removes old revisions of the branch that is shown; with `isTrial` it only tells what would go. */
export async function trimHistory(repository: string, trim: TrimRequest, isTrial: boolean): Promise<TrimReport> {
  const { before, last, perDay, content } = trim;
  const parameters = parametersOf({
    'revision-id': before === undefined ? undefined : refOf(before),
    last,
    'per-day': perDay,
    mode: content ? 'delete-history' : undefined,
    'dry-run': isTrial ? 1 : undefined,
  });
  const init = { method: 'DELETE', headers: { Accept: 'application/json' } };
  return (await (await request(`${repository}/revisions${parameters}`, init)).json()) as TrimReport;
}

/** @returns the id of the job */
export async function startMaintenance(repository: string, operation: 'verify' | 'compact'): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify({ operation }) };
  const response = await request(`${repository}/jobs`, init);
  return /([^/]+)$/.exec(response.headers.get('Location') ?? '')?.[1] ?? '';
}
