/** What a request says, without running it. */
import { ClientError } from './client-error.js';
import type { Requests } from './requests.js';
import type { PreparedQuery } from './types.js';

interface Parsed {
  readonly kind: PreparedQuery['kind'] | null;
  readonly errors: readonly { readonly line: number; readonly column: number; readonly message: string }[];
}

/** The resource parses what it is told to: a query, or an update. What is no query may be an update. */
export async function preparedOf(
  requests: Requests,
  text: string,
  signal: AbortSignal | undefined,
): Promise<Pick<PreparedQuery, 'request' | 'kind'>> {
  const parse = (type: string): Promise<Parsed> =>
    requests.json<Parsed>({
      method: 'POST',
      path: '/parse',
      headers: { 'Content-Type': `application/sparql-${type}` },
      body: text,
      signal,
    });
  const query = await parse('query');
  if (query.kind !== null && query.errors.length === 0) return { request: text, kind: query.kind };
  const update = await parse('update');
  if (update.errors.length === 0) return { request: text, kind: 'update' };
  const { message, ...place } = query.errors[0] ?? { message: 'neither a query nor an update' };
  throw new ClientError(message, { code: 'SPARQL_SYNTAX', status: 400, details: place });
}
