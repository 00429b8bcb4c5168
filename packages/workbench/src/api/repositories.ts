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
/** Fails where the server does not answer now. */
export const isReached = (): Promise<SystemRecord> => getJson('system', undefined, 'never');
/** All that the user may read, also those of others that are public or shared. */
export const listRepositories = (): Promise<RepositoryRecord[]> => getJson('repositories?all');
export const getRepository = (repository: string): Promise<RepositoryRecord> => getJson(`${repository}/meta`);

export interface SessionRecord {
  /** `null` for an operator without an account of its own, and on a server that is open. */
  readonly account: string | null;
  /** Whether the user may operate the server. */
  readonly admin: boolean;
  readonly readOnly: boolean;
}

/** Who asks. @throws ApiError 401 where the server does not know */
export const getSession = (): Promise<SessionRecord> => getJson('session');

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
