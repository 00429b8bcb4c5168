/** Named queries of a repository. */
import { getJson, request } from './client.js';

export interface ViewRecord {
  readonly name: string;
  readonly query: string;
}

export const listViews = (repository: string): Promise<ViewRecord[]> => getJson(`${repository}/views`);

export async function saveView(repository: string, name: string, query: string): Promise<void> {
  const headers = { 'Content-Type': 'application/sparql-query' };
  await request(`${repository}/views/${encodeURIComponent(name)}`, { method: 'PUT', headers, body: query });
}

export async function removeView(repository: string, name: string): Promise<void> {
  await request(`${repository}/views/${encodeURIComponent(name)}`, { method: 'DELETE' });
}
