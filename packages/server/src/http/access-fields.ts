/** Header fields of 401, 429, and 503 where too many wait. */

/** The default of `Retry-After`. */
const RETRY_AFTER_SECONDS = 60;

/** `WWW-Authenticate` with 401, `Retry-After` where a client is to come again. The realm is the one that existing clients register their token for. */
export function accessFields(code: string, retryAfter: unknown): Readonly<Record<string, string>> {
  if (code === 'UNAUTHENTICATED') return { 'WWW-Authenticate': 'Basic realm="Application"' };
  if (code === 'RATE_LIMITED' || code === 'QUERY_QUEUE_FULL')
    return { 'Retry-After': String(retryAfter ?? RETRY_AFTER_SECONDS) };
  return {};
}
