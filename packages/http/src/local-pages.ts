/**
 * Who may use a server that asks nobody for credentials. A page of any site can send requests to a server on the machine of its reader:
 * by its address, or by a name of its own that it lets resolve to that address (DNS rebinding).
 */
import { RecentMap } from '@quadrille/model';
import type { AllowedOrigins } from './cors.js';

/** Which hosts and origins may reach a server without credentials. */
export interface LocalPages {
  /** The public address of the server, which names it too. */
  readonly publicBase?: string | undefined;
  /** Origins that the operator has named. `*`: pages of every site. */
  readonly cors?: AllowedOrigins | undefined;
}

/** The foreign part of a request: `host` is the name of the server in it, `origin` the site of the page that sends it. */
export type ForeignPart = 'host' | 'origin';

/** `undefined` for requests of programs, and of pages of this machine, of `publicBase` and of the named origins. */
export function foreignPart(
  host: string,
  origin: string | null | undefined,
  { publicBase, cors }: LocalPages,
): ForeignPart | undefined {
  const known = publicBase === undefined ? undefined : urlOf(publicBase);
  const isOurs = (url: URL | undefined): boolean =>
    url !== undefined && (isLoopback(url.hostname) || url.host === known?.host);
  if (!isOurs(urlOf(`http://${host}`)) && host.toLowerCase() !== known?.host) return 'host';
  if (origin === null || origin === undefined || cors === '*' || cors?.includes(origin) === true) return undefined;
  return isOurs(urlOf(origin)) ? undefined : 'origin';
}

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

/** Code of the error for a request to another host. */
export const FOREIGN_HOST =
  'a server with --open answers on this machine only: ask for localhost, 127.0.0.1, [::1] or the host of --public-base';
/** Code of the error for a request of another site's page. */
export const FOREIGN_ORIGIN =
  'a page of another site may not use a server with --open; name its origin with --cors if it may';
