/** What the owner of a repository sets. */
import { getJson, request } from './client.js';

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
  readonly defaultBranch?: string;
  /** Branches that owners alone change. */
  readonly protected?: readonly string[];
}

/** For the owner alone. */
export const getRules = (repository: string, signal?: AbortSignal): Promise<RepositoryRules> =>
  getJson(`${repository}/settings`, signal);

/** @param changes `null` resets a member, and one that is missing stays */
export async function saveRules(
  repository: string,
  changes: { readonly [Name in keyof RepositoryRules]?: RepositoryRules[Name] | null },
): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await request(`${repository}/settings`, { method: 'PATCH', headers, body: JSON.stringify(changes) });
}

/** @returns the id of the job */
export async function startMaintenance(repository: string, operation: 'verify' | 'compact'): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify({ operation }) };
  const response = await request(`${repository}/jobs`, init);
  return /([^/]+)$/.exec(response.headers.get('Location') ?? '')?.[1] ?? '';
}
