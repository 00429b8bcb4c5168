/** The parameter `timeout`, in seconds, as other servers of the SPARQL Protocol take it. Fractions are fine. */
import { badRequest } from '@quadrille/http';
import type { QueryLimits } from '@quadrille/service';

/** Milliseconds; `undefined` for the limit of the server. @throws HttpError 400 */
export function timeoutOf(
  parameters: URLSearchParams,
  { longestTimeoutMs }: Pick<QueryLimits, 'longestTimeoutMs'>,
): number | undefined {
  const text = parameters.get('timeout')?.trim() ?? '';
  if (text === '') return undefined;
  const seconds = Number(text);
  if (!(seconds > 0)) throw badRequest(`timeout is not a number of seconds: ${text.slice(0, 50)}`);
  if (seconds * 1000 <= longestTimeoutMs) return Math.ceil(seconds * 1000);
  throw badRequest(`timeout is at most ${String(longestTimeoutMs / 1000)} seconds here, not ${text.slice(0, 50)}`);
}
