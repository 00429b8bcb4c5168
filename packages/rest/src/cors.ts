/** Which web pages may use the server (CORS, as the Fetch standard has it). */
import type { ReplyHeaders } from './reply.js';
import type { HttpRequest } from './request.js';

/** `*`: every page, without credentials. A list: these origins, with credentials. */
export type AllowedOrigins = '*' | readonly string[];

const EXPOSED =
  'ETag, Location, Link, Last-Modified, Memento-Datetime, Request-Id, Client-Request-Id, Retry-After, Allow';
export const PREFLIGHT: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Content-Encoding, Accept, Accept-Datetime, ETag, If-Match, If-None-Match, ' +
    'If-Modified-Since, Revision, Revision-Message, Silent, Client-Request-Id, Accept-Asynchronous, Prefer, X-HTTP-Method-Override, Last-Event-ID',
  'Access-Control-Max-Age': '86400',
};

/** Adds what a browser looks for; to an origin that is not listed, nothing. */
export function addCorsHeaders(headers: ReplyHeaders, request: HttpRequest, allowed: AllowedOrigins): void {
  if (allowed === '*') {
    headers.set('Access-Control-Allow-Origin', '*');
    headers.set('Access-Control-Expose-Headers', EXPOSED);
    return;
  }
  headers.append('Vary', 'Origin');
  const origin = request.headers.get('Origin');
  if (origin === null || !allowed.includes(origin)) return;
  headers.set('Access-Control-Allow-Origin', origin);
  headers.set('Access-Control-Allow-Credentials', 'true');
  headers.set('Access-Control-Expose-Headers', EXPOSED);
}
