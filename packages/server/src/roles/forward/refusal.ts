/** Answers 503 of a server that cannot forward a request. */
import type { ServerResponse } from 'node:http';

export const UNKNOWN =
  'The server that writes broke the connection, so nobody knows whether this was done. Read to find out.';
export const AWAY = 'The server that writes cannot be reached. Nothing was done. Try again.';
export const NO_HOLDER = 'No server writes at this moment. Nothing was done. Try again.';
export const LEAVING = 'This server is shutting down. Nothing was done. Try again.';

export const refusalOf = (
  code: string,
  error: string,
): { readonly headers: Record<string, string>; readonly body: string } => ({
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Retry-After': '1',
  },
  body: `${JSON.stringify({ error, code, status: 503, requestId: crypto.randomUUID() })}\n`,
});

/** Answers 503. */
export function refuse(outgoing: ServerResponse, code: string, error: string): void {
  if (outgoing.destroyed) return;
  const { headers, body } = refusalOf(code, error);
  outgoing.writeHead(503, headers);
  outgoing.end(body);
}
