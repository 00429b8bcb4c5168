/**
 * Which pages may use a server. A page of any site can make its reader's browser send requests: with the credentials of HTTP Basic that the
 * browser keeps, and to servers on the reader's machine. It reaches them by their address, or by a name of its own that resolves to it
 * (DNS rebinding).
 */
import { AccessError, RecentMap } from '@quadrille/model';
import { readAuthorization } from './authorization.js';
import type { AllowedOrigins } from './cors.js';
import { HttpError } from './http-error.js';

/** What a server says about pages. */
export interface PageRules {
  /** The public address of the server, which names it too. */
  readonly publicBase?: string | undefined;
  /** Origins that the operator has named. Default `*`: all, for requests without credentials. */
  readonly cors?: AllowedOrigins | undefined;
  /** Whether requests for another host than this machine or that of `publicBase`, and of pages elsewhere, are refused. */
  readonly localPages?: boolean | undefined;
  /**
   * What decides the rights of a request. `tokens`: its `Authorization` alone. `nothing`: the server is open. `unknown`: the embedding
   * server, which may look at a cookie or at the connection.
   */
  readonly rightsBy: 'tokens' | 'nothing' | 'unknown';
}

/** The parts of a request that tell who sends it. */
export interface SentRequest {
  /** The method of HTTP, in capitals. */
  readonly method: string;
  /** The address that is asked for: `http://host:port`, with or without a path. */
  readonly address: string;
  /** The value of a header. */
  readonly header: (name: string) => string | null | undefined;
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** The types that a page can send to another site without asking it first. */
const OF_FORMS: ReadonlySet<string> = new Set([
  '',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
]);
/** Every browser names itself so. */
const BROWSER = /^(?:Mozilla|Opera)\//;

/**
 * Refuses what a page may have made a browser send. See `docs/explanation/security-model.md`.
 * @throws HttpError 421 for a foreign host; AccessError `FOREIGN_ORIGIN`
 */
export function refuseForeign(request: SentRequest, rules: PageRules): void {
  const { method, address, header } = request;
  const origin = header('Origin') ?? undefined;
  if (rules.localPages === true) {
    for (const host of [header('Host'), address]) if (host != null && !isHere(host, rules)) throw misdirected();
  }
  if (isNamed(origin, rules)) return;
  if (SAFE.has(method)) {
    if (rules.localPages !== true || origin === undefined || isHere(origin, rules)) return;
    throw foreign(rules);
  }
  const site = header('Sec-Fetch-Site');
  const isForeign =
    site === 'cross-site' ||
    site === 'same-site' ||
    (origin === undefined ? isFormOfBrowser(request) : !isSameOrigin(origin, address));
  if (isForeign && !isHarmless(header('Authorization'), rules)) throw foreign(rules);
}

/** Whether the operator has named an origin. Without a list it has named all of them for requests without credentials. */
function isNamed(origin: string | undefined, { publicBase, cors, rightsBy }: PageRules): boolean {
  if (origin === undefined) return false;
  if (cors === '*' ? rightsBy === 'nothing' : cors?.includes(origin)) return true;
  return publicBase !== undefined && isSameOrigin(origin, publicBase);
}

/** The same scheme, host and port. */
function isSameOrigin(one: string, other: string): boolean {
  const origin = urlOf(one)?.origin;
  return origin !== undefined && origin === urlOf(other)?.origin;
}

/** Old browsers send forms without their origin. Programs do, too, but they name themselves otherwise. */
function isFormOfBrowser({ method, header }: SentRequest): boolean {
  if (method !== 'POST' || header('Sec-Fetch-Site') != null || !BROWSER.test(header('User-Agent') ?? '')) return false;
  return OF_FORMS.has(header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '');
}

/** Whether the browser has added no rights to what the page knows itself: a token as Bearer is of the page. */
function isHarmless(authorization: string | null | undefined, { cors = '*', rightsBy }: PageRules): boolean {
  if (rightsBy === 'nothing') return false;
  const shown = readAuthorization(authorization);
  if (shown === undefined) return rightsBy === 'tokens' && cors === '*';
  return shown.scheme === 'bearer';
}

/** Clients name the same host in all requests: what was found of it, by the public address. */
const places = new RecentMap<string, { readonly publicBase: string | undefined; readonly isHere: boolean }>(64);

/** Whether a host, or the origin of a page, is this machine or the public address. */
function isHere(place: string, { publicBase }: PageRules): boolean {
  const before = places.get(place);
  if (before !== undefined && before.publicBase === publicBase) return before.isHere;
  const found = { publicBase, isHere: isLocal(place, publicBase) };
  if (place.length <= LONGEST_KEPT) places.set(place, found);
  return found.isHere;
}

function isLocal(place: string, publicBase: string | undefined): boolean {
  const url = urlOf(place.includes('://') || place === 'null' ? place : `http://${place}`);
  const known = publicBase === undefined ? undefined : urlOf(publicBase);
  if (url === undefined) return false;
  return isLoopback(url.hostname) || url.host === known?.host || place.toLowerCase() === known?.host;
}

const misdirected = (): HttpError =>
  new HttpError(
    'MISDIRECTED',
    'a server without tokens answers on this machine only: ask for localhost, 127.0.0.1, [::1] or the host of publicBase (--public-base)',
  );

const foreign = ({ rightsBy }: PageRules): AccessError =>
  new AccessError(
    'FOREIGN_ORIGIN',
    'a page of another site may not change anything with the rights of its reader: ' +
      (rightsBy === 'nothing' ? '' : 'send the token as Bearer, or ') +
      'name the origin of the page by cors (--cors), or the address of this server by publicBase (--public-base)',
  );

/** Clients name the same hosts and origins in all requests. To parse one takes as long as to find a route. */
const parsed = new RecentMap<string, URL | null>(64);
const LONGEST_KEPT = 256;

function urlOf(text: string): URL | undefined {
  let url = parsed.get(text);
  if (url === undefined) {
    url = URL.canParse(text) ? new URL(text) : null;
    if (text.length <= LONGEST_KEPT) parsed.set(text, url);
  }
  return url ?? undefined;
}

/** A name of this machine itself. `URL` has written addresses in their usual form: `127.1` is `127.0.0.1`. */
const isLoopback = (hostname: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
