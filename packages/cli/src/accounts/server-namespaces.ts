/** The prefixes of an account or a repository of a server. */
import type { Namespaces } from 'quadrille';
import { askJson, askServer, serverPath, type ServerOptions } from '../server/ask-server.js';

export class ServerNamespaces implements Omit<Namespaces, 'get'> {
  /** `owner` is an account, or `account/repository`. */
  constructor(
    private readonly server: ServerOptions,
    private readonly owner: string,
  ) {}

  list(): Promise<Readonly<Record<string, string>>> {
    return askJson(this.server, { method: 'GET', path: this.#path() });
  }

  async set(prefix: string, iri: string): Promise<void> {
    const headers = { 'Content-Type': 'text/plain' };
    await askServer(this.server, { method: 'PUT', path: this.#path(prefix), body: iri, headers });
  }

  async delete(prefix: string): Promise<boolean> {
    // The server does not tell whether there was something to remove.
    const wasThere = Object.hasOwn(await this.list(), prefix);
    if (wasThere) await askServer(this.server, { method: 'DELETE', path: this.#path(prefix) });
    return wasThere;
  }

  #path(...rest: string[]): string {
    return serverPath(...this.owner.split('/'), 'namespaces', ...rest);
  }
}
