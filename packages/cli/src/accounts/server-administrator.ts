/** Asks a server to change accounts and tokens, with a token that may do so. */
import type { AccountFields, Right } from '@quadrille/server/host';
import type { Requests } from '@quadrille/client';
import { serverPath } from '../server/server-place.js';
import type { Administrator, ListedAccount, ListedToken, NewTokenFields } from './administrator.js';

interface AccountRecord {
  readonly name: string;
  readonly admin: boolean;
  readonly created: string;
}

interface TokenRecord {
  readonly id: string;
  readonly label: string | null;
  readonly rights: readonly Right[];
  readonly created: string;
  readonly expires: string | null;
}

export class ServerAdministrator implements Administrator {
  constructor(private readonly server: Requests) {}

  async accounts(): Promise<readonly ListedAccount[]> {
    return (await this.#ask<AccountRecord[]>('GET', ['accounts'])).map(accountOf);
  }

  async createAccount(name: string, { fullName, email, admin }: AccountFields): Promise<ListedAccount> {
    const record = await this.#ask<AccountRecord>('POST', ['accounts'], { name, fullname: fullName, email, admin });
    return { ...accountOf(record), fullName, email };
  }

  async removeAccount(name: string, force: boolean): Promise<void> {
    await this.#send('DELETE', ['accounts', name], force ? { force: '1' } : {});
  }

  async tokens(account: string): Promise<readonly ListedToken[]> {
    return (await this.#ask<TokenRecord[]>('GET', [account, 'tokens'])).map(tokenOf);
  }

  async createToken(account: string, fields: NewTokenFields): Promise<ListedToken & { readonly text: string }> {
    const { label, rights, expires } = fields;
    const sent = { label, rights, expires: expires?.toISOString() };
    const record = await this.#ask<TokenRecord & { token: string }>('POST', [account, 'tokens'], sent);
    return { ...tokenOf(record), text: record.token };
  }

  async revokeToken(account: string, id: string): Promise<void> {
    await this.#send('DELETE', [account, 'tokens', id]);
  }

  #ask<T>(method: 'GET' | 'POST', names: readonly string[], json?: object): Promise<T> {
    return this.server.json({ method, path: serverPath(...names), json });
  }

  async #send(method: 'DELETE', names: readonly string[], parameters = {}): Promise<void> {
    await this.server.send({ method, path: serverPath(...names), parameters });
  }
}

const accountOf = ({ name, admin, created }: AccountRecord): ListedAccount => ({
  name,
  admin,
  created: new Date(created),
});

const tokenOf = ({ id, label, rights, created, expires }: TokenRecord): ListedToken => ({
  id,
  label: label ?? undefined,
  rights,
  created: new Date(created),
  expires: expires === null ? undefined : new Date(expires),
});
