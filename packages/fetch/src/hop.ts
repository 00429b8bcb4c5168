/** What is asked of one URL, and where a redirect leads from it. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { FetchError, InvalidArgumentError } from '@quadrille/model';
import { hostOf, parseUrl } from './allow.js';
import type { FetchRequest } from './port.js';

export interface Hop {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly asGet: FetchRequest['asGet'];
}

/** They belong to the connection or to how its bytes are framed, which is the fetcher's own business. */
const OWN_HEADERS = new Set(
  'accept-encoding connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
);
/** What another origin may see. All else may be a secret: Authorization, Cookie, keys by any name. */
const HARMLESS_HEADERS = new Set('accept accept-language content-type user-agent'.split(' '));
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT']);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** @throws InvalidArgumentError `INVALID_OPTION` */
export function firstHop(request: FetchRequest): Hop {
  const { url, method = 'GET', body, asGet } = request;
  if (!METHODS.has(method)) throw invalid(`method is GET, POST or PUT, not ${String(method)}`);
  if (method === 'GET' && body !== undefined) throw invalid('a GET has no body');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const lower = name.toLowerCase();
    if (OWN_HEADERS.has(lower) || lower.startsWith('proxy-')) throw invalid(`the header ${name} is not the caller's`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (cause) {
      throw invalid(`the header ${JSON.stringify(name)} is not possible`, cause);
    }
    headers[lower] = value;
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return { url, method, headers, asGet, body: bytes ?? (method === 'GET' ? undefined : new Uint8Array(0)) };
}

/**
 * The next hop, where an answer is a redirect; the caller checks its URL.
 * @throws FetchError `FETCH_FAILED`, `URL_NOT_ALLOWED`
 */
export function redirectOf(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const from = new URL(hop.url);
  const to = parseUrl(location, hop.url);
  const host = hostOf(from);
  if (to === undefined) {
    throw new FetchError('FETCH_FAILED', `${host} redirects to what is no URL`, { details: { host } });
  }
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new FetchError('URL_NOT_ALLOWED', `${host} redirects from https to http`, { details: { host } });
  }
  to.hash = '';
  // As all clients do: POST becomes GET, except where 307 and 308 forbid it (RFC 9110, 15.4).
  const { asGet } = hop;
  const keepsMethod = hop.method === 'GET' || status === 307 || status === 308;
  const address = keepsMethod || asGet === undefined ? to.href : asGet(to.href);
  const keeps = keepsMethod || (address === undefined && status !== 303);
  const sameOrigin = from.origin === to.origin;
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (sameOrigin || HARMLESS_HEADERS.has(name)) && (keeps || !name.startsWith('content-')),
  );
  return {
    url: address ?? to.href,
    asGet,
    method: keeps ? hop.method : 'GET',
    headers: Object.fromEntries(headers),
    body: keeps ? hop.body : undefined,
  };
}

function invalid(message: string, cause?: unknown): InvalidArgumentError {
  return new InvalidArgumentError('INVALID_OPTION', `fetch: ${message}`, { cause });
}
