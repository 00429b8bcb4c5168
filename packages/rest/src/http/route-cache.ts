/** The routes of recently used addresses. Clients repeat the addresses of their queries. */
import { RecentMap } from '@quadrille/model';
import { canonicalPath } from './path.js';
import { pathOfUrl } from './request.js';
import type { Found, Router } from './router.js';

export interface FoundRoute<T> {
  /** In its canonical form, percent-encoded. */
  readonly path: string;
  readonly found: Found<T> | undefined;
  /** Of the address. Not to be changed. */
  readonly parameters: URLSearchParams;
}

const MOST_KNOWN = 512;
const LONGEST_KNOWN = 2048;

export class RouteCache<T> {
  readonly #known = new RecentMap<string, FoundRoute<T>>(MOST_KNOWN);

  constructor(private readonly router: Router<T>) {}

  /** Of an absolute URL. */
  of(url: string): FoundRoute<T> {
    if (url.length > LONGEST_KNOWN) return this.#find(url);
    let route = this.#known.get(url);
    if (route === undefined) this.#known.set(url, (route = this.#find(url)));
    return route;
  }

  #find(url: string): FoundRoute<T> {
    const path = canonicalPath(pathOfUrl(url));
    return { path, found: this.router.find(path), parameters: parametersOf(url) };
  }
}

function parametersOf(url: string): URLSearchParams {
  const fragment = url.indexOf('#');
  const address = fragment < 0 ? url : url.slice(0, fragment);
  const from = address.indexOf('?');
  return new URLSearchParams(from < 0 ? '' : address.slice(from));
}
