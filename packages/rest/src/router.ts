/** Finds what stands at a path. Hono's routers compile all patterns into one regular expression. */
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';

export interface Found<T> {
  readonly resource: T;
  /** The named segments of the path, percent-encoded. */
  readonly segments: Readonly<Record<string, string>>;
}

// Methods are looked at once the resource is found: for the router every request has the same one.
const ANY = 'ALL';

export class Router<T> {
  readonly #router = new SmartRouter<T>({ routers: [new RegExpRouter<T>(), new TrieRouter<T>()] });

  /** Of several patterns that a path fits, the one that was added first has it. */
  add(pattern: string, resource: T): void {
    this.#router.add(ANY, pattern, resource);
  }

  find(path: string): Found<T> | undefined {
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
