/** Answers as files. */
import { request } from './client.js';

/** Keeps an answer as a file of the user. */
export async function saveResponse(response: Response, name: string): Promise<void> {
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the address while it saves.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export async function saveDocument(path: string, accept: string, name: string): Promise<void> {
  await saveResponse(await request(path, { headers: { Accept: accept } }), name);
}
