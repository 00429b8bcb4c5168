/** Statements by the words of their objects, where the repository has an index of them. */
import { getJson, parametersOf } from '../api/client.js';
import { refOf } from '../api/revisions.js';
import type { Binding } from '../api/sparql.js';

export interface Hit {
  readonly subject: Binding;
  readonly literal: Binding;
}

/** Those with all words of a text, the last of which may go on. @throws ApiError 409 where the repository has no index of words */
export async function findWords(
  repository: string,
  text: string,
  at: string | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Hit[]> {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length === 0) return [];
  const parameters = {
    q: `${words.map((word) => `+${word.toLowerCase()}`).join(' ')}*`,
    limit,
    'revision-id': at === undefined ? undefined : refOf(at),
  };
  const { hits } = await getJson<{ hits: readonly Hit[] }>(`${repository}/search${parametersOf(parameters)}`, signal);
  return hits;
}
