/** Finds the resource of an address. Hono's routers compile all patterns into one regular expression. */
import { RecentMap } from '@quadrille/model';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import { requireEncoding, requirePathEncoding } from './encoding.js';
import { canonicalPath } from '../dialects/paths.js';
import { pathOfUrl } from './request.js';

export interface Found<T> {
  readonly resource: T;
  /** The named segments of the path, percent-encoded. */
  readonly segments: Readonly<Record<string, string>>;
}

// The method is checked after the resource is found. The router sees the same method for every request.
const ANY = 'ALL';
const MOST_KNOWN = 512;
const LONGEST_KNOWN = 256;

export class Router<T> {
  /** Clients repeat the same paths. */
  readonly #known = new RecentMap<string, Found<T>>(MOST_KNOWN);
  readonly #router = new SmartRouter<T>({ routers: [new RegExpRouter<T>(), new TrieRouter<T>()] });

  /** If several patterns match a path, the one that was added first wins. */
  add(pattern: string, resource: T): void {
    this.#router.add(ANY, pattern, resource);
  }

  find(path: string): Found<T> | undefined {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const found = this.#search(path);
    if (found !== undefined && path.length <= LONGEST_KNOWN) this.#known.set(path, found);
    return found;
  }

  #search(path: string): Found<T> | undefined {
    const [matches, stash] = this.#router.match(ANY, path);
    const match = matches[0];
    if (match === undefined) return undefined;
    const [resource, params] = match;
    const segments: Record<string, string> = {};
    for (const name in params) {
      const value = stash === undefined ? (params[name] as string) : stash[params[name] as number];
      if (value !== undefined) segments[name] = value;
    }
    return { resource, segments };
  }
}

export interface FoundRoute<T> {
  /** In its canonical form, percent-encoded. */
  readonly path: string;
  readonly found: Found<T> | undefined;
  /** Of the address. Not to be changed. */
  readonly parameters: URLSearchParams;
  /** Set where the address is no percent-encoded UTF-8. */
  readonly refusal: unknown;
}

const LONGEST_ADDRESS = 2048;

/** The routes of recently used addresses. Clients repeat the addresses of their queries. */
export class RouteCache<T> {
  readonly #known = new RecentMap<string, FoundRoute<T>>(MOST_KNOWN);

  constructor(private readonly router: Router<T>) {}

  /** Of an absolute URL. */
  of(url: string): FoundRoute<T> {
    if (url.length > LONGEST_ADDRESS) return this.#find(url);
    let route = this.#known.get(url);
    if (route === undefined) this.#known.set(url, (route = this.#find(url)));
    return route;
  }

  #find(url: string): FoundRoute<T> {
    const path = canonicalPath(pathOfUrl(url));
    const query = queryOf(url);
    return {
      path,
      found: this.router.find(path),
      parameters: new URLSearchParams(query),
      refusal: refusalOf(pathOfUrl(url), query),
    };
  }
}

function queryOf(url: string): string {
  const fragment = url.indexOf('#');
  const address = fragment < 0 ? url : url.slice(0, fragment);
  const from = address.indexOf('?');
  return from < 0 ? '' : address.slice(from + 1);
}

function refusalOf(path: string, query: string): unknown {
  try {
    requirePathEncoding(path);
    requireEncoding(query, 'the query of the address');
    return undefined;
  } catch (error) {
    return error;
  }
}
