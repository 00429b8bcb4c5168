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

/** @returns the id of the job */
export async function startMaintenance(repository: string, operation: 'verify' | 'compact'): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify({ operation }) };
  const response = await request(`${repository}/jobs`, init);
  return /([^/]+)$/.exec(response.headers.get('Location') ?? '')?.[1] ?? '';
}
