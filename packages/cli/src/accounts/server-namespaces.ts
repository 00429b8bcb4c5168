/** The prefixes of an account or a repository of a server. */
import type { Namespaces } from 'quadrille';
import type { Requests } from '@quadrille/client';
import { serverPath } from '../server/server-place.js';

export class ServerNamespaces implements Omit<Namespaces, 'get'> {
  /** `owner` is an account, or `account/repository`. */
  constructor(
    private readonly server: Requests,
    private readonly owner: string,
  ) {}

  list(): Promise<Readonly<Record<string, string>>> {
    return this.server.json({ path: this.#path() });
  }

  async set(prefix: string, iri: string): Promise<void> {
    const headers = { 'Content-Type': 'text/plain' };
    await this.server.send({ method: 'PUT', path: this.#path(prefix), body: iri, headers });
  }

  async delete(prefix: string): Promise<boolean> {
    // The server does not tell whether there was something to remove.
    const wasThere = Object.hasOwn(await this.list(), prefix);
    if (wasThere) await this.server.send({ method: 'DELETE', path: this.#path(prefix) });
    return wasThere;
  }

  #path(...rest: string[]): string {
    return serverPath(...this.owner.split('/'), 'namespaces', ...rest);
  }
}
