/** Repositories, namespaces, and who the user is. */
import { getJson, request } from './client.js';

export interface RepositoryRecord {
  /** `account/repository`. */
  readonly repository_id: string;
  readonly name: string;
  readonly summary: string | null;
  readonly description: string | null;
  readonly homepage: string | null;
  readonly triple_count: number;
  readonly byte_size: number;
  readonly privacy: string;
  readonly created: string;
  readonly updated: string;
  readonly revision: string;
}

export interface SystemRecord {
  readonly version: string;
  readonly features: readonly string[];
  readonly open: boolean;
}

export const getSystem = (): Promise<SystemRecord> => getJson('system');
export const listRepositories = (): Promise<RepositoryRecord[]> => getJson('repositories');
export const getRepository = (repository: string): Promise<RepositoryRecord> => getJson(`${repository}/meta`);

/** The name of the account of the token. */
export async function getUser(): Promise<{ readonly name: string; readonly admin: boolean }> {
  const { username, grantedAuthorities } = await getJson<{ username: string; grantedAuthorities: string[] }>(
    'rest/security/authenticated-user',
  );
  return { name: username, admin: grantedAuthorities.includes('ROLE_ADMIN') };
}

/** @returns the token for the code of a sign-in link, which is used up */
export async function exchangeCode(code: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await request('session', { method: 'POST', body: JSON.stringify({ code }), headers });
  return ((await response.json()) as { token: string }).token;
}

/** @returns the id of the new repository */
export async function createRepository(account: string, name: string): Promise<string> {
  const response = await request(`${encodeURIComponent(account)}/repositories`, {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: new URLSearchParams({ name }),
  });
  const location = response.headers.get('Location') ?? '';
  return location.split('/').slice(-2).join('/');
}

export async function deleteRepository(repository: string): Promise<void> {
  await request(repository, { method: 'DELETE' });
}

export type Namespaces = Readonly<Record<string, string>>;
export const getNamespaces = (repository: string): Promise<Namespaces> => getJson(`${repository}/namespaces`);

export async function setNamespace(repository: string, prefix: string, iri: string): Promise<void> {
  const path = `${repository}/namespaces/${encodeURIComponent(prefix)}`;
  await request(path, { method: 'PUT', body: iri, headers: { 'Content-Type': 'text/plain' } });
}
