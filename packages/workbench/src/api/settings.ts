/** What the owner of a repository sets. */
import { request } from './client.js';

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
