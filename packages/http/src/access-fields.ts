/** Header fields of 401 and 429. */

/** The default of `Retry-After`. */
const RETRY_AFTER_SECONDS = 60;

/** `WWW-Authenticate` with 401, `Retry-After` with 429. The realm is the one that existing clients register their token for. */
export function accessFields(code: string, retryAfter: unknown): Readonly<Record<string, string>> {
  if (code === 'UNAUTHENTICATED') return { 'WWW-Authenticate': 'Basic realm="Application"' };
  if (code === 'RATE_LIMITED') return { 'Retry-After': String(retryAfter ?? RETRY_AFTER_SECONDS) };
  return {};
}
