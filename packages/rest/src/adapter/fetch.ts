/** An answer as a `Response` of the Fetch standard. */
import type { Reply } from '../http/reply.js';

export function toResponse({ body, status, headers }: Reply): Response {
  return new Response(body as BodyInit | null, { status, headers: [...headers] as [string, string][] });
}
