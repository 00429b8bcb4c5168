/** Documents that come with the page. */
import { request } from './client.js';
import { messageHeader, tagOf } from './revisions.js';

/** Replaces the content of a repository by a document of the page. @returns the UUID of the revision */
export async function loadDocument(repository: string, file: string, message: string): Promise<string> {
  const body = await (await request(`workbench/assets/${file}`)).text();
  const headers = { 'Content-Type': 'text/turtle', ...messageHeader(message) };
  const response = await request(`${repository}/statements`, { method: 'PUT', headers, body });
  return tagOf(response) ?? 'HEAD';
}
