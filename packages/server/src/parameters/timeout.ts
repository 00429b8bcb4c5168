/**
 * The parameter `timeout`, in seconds, as other servers of the SPARQL Protocol take it. Fractions are fine. Clients made for Virtuoso send
 * milliseconds, or 0 for the limit of the server: a whole number that is too long in seconds means milliseconds.
 */
import { refuseParameter } from '../http/index.js';
import type { QueryLimits } from '../host/index.js';

const refuse = refuseParameter('timeout');

/** Milliseconds; `undefined` for the limit of the server. @throws HttpError 400 */
export function timeoutOf(
  parameters: URLSearchParams,
  { longestTimeoutMs }: Pick<QueryLimits, 'longestTimeoutMs'>,
): number | undefined {
  const text = parameters.get('timeout')?.trim() ?? '';
  if (text === '') return undefined;
  const seconds = Number(text);
  if (!(seconds >= 0)) throw refuse(`timeout is not a number of seconds: ${text.slice(0, 50)}`);
  if (seconds === 0) return undefined;
  if (seconds * 1000 <= longestTimeoutMs) return Math.ceil(seconds * 1000);
  if (/^\d{4,15}$/.test(text) && seconds <= longestTimeoutMs) return seconds;
  throw refuse(`timeout is at most ${String(longestTimeoutMs / 1000)} seconds here, not ${text.slice(0, 50)}`);
}
