/** Documents that come with the page. */
import { request, urlOf } from './client.js';
import { ApiError, problemOf } from './errors.js';
import { messageHeader, tagOf } from './revisions.js';

/** Replaces the content of a repository by a document of the page. @returns the UUID of the revision */
export async function loadDocument(repository: string, file: string, message: string): Promise<string> {
  // Its file comes with the page, wherever the data are.
  const found = await fetch(urlOf(`workbench/assets/${file}`), { credentials: 'omit' });
  if (!found.ok) throw new ApiError(await problemOf(found));
  const body = await found.text();
  const headers = { 'Content-Type': 'text/turtle', ...messageHeader(message) };
  const response = await request(`${repository}/statements`, { method: 'PUT', headers, body });
  return tagOf(response) ?? 'HEAD';
}
