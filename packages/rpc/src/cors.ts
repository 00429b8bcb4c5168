/** Which web pages may call (CORS). */

/** `*`: every page, without credentials. A list: these origins, with credentials. */
export type AllowedOrigins = '*' | readonly string[];

export const PREFLIGHT: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept, Client-Request-Id',
  'Access-Control-Max-Age': '86400',
};

/** Adds what a browser looks for; to an origin that is not listed, nothing. */
export function corsHeaders(
  headers: Record<string, string>,
  origin: string | undefined,
  allowed: AllowedOrigins,
): void {
  if (allowed === '*') {
    headers['Access-Control-Allow-Origin'] = '*';
  } else {
    headers['Vary'] = 'Origin';
    if (origin === undefined || !allowed.includes(origin)) return;
    headers['Access-Control-Allow-Origin'] = origin;
    headers['Access-Control-Allow-Credentials'] = 'true';
  }
  headers['Access-Control-Expose-Headers'] = 'Request-Id, Client-Request-Id, Retry-After';
}
