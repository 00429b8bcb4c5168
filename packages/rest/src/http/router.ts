/** Finds the resource of a path. Hono's routers compile all patterns into one regular expression. */
import { RecentMap } from '@quadrille/model';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';

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
