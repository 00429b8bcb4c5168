/** The tokens of accounts. The methods are for the operator and check no rights. */
import { ConflictError, InvalidRecordError, LimitError, Mutex, NotFoundError } from '@quadrille/model';
import type { Database } from 'quadrille';
import type { Accounts } from './accounts.js';
import { Records } from '../records.js';
import { digestOf, newToken } from './token-text.js';

export interface Token {
  /** Public; the first part of the token's text. */
  readonly id: string;
  readonly account: string;
  /** A label. */
  readonly name: string | undefined;
  readonly readOnly: boolean;
  readonly created: Date;
}

export interface NewToken {
  readonly token: Token;
  /** The token itself. It cannot be read again later. */
  readonly text: string;
}

/** The stored form of a token. */
interface TokenRecord {
  readonly account: string;
  /** When the account was created. A token with another time belongs to an earlier account of this name and is not valid. */
  readonly of: string;
  /** SHA-256 of the secret, base64. */
  readonly digest: string;
  readonly name?: string | undefined;
  readonly readOnly: boolean;
  readonly created: string;
}

/** A token with the data that authentication needs. */
export interface KnownToken extends Token {
  readonly digest: Uint8Array;
  readonly admin: boolean;
}

/** Time after which a revocation by another process takes effect. */
const CACHE_MS = 5000;
const CACHED_TOKENS = 1000;

export class Tokens {
  readonly #records: Records<TokenRecord>;
  readonly #cache = new Map<string, { readonly token: KnownToken; readonly until: number }>();
  // A lookup that began before a change must not put its result into the cache.
  #changes = 0;
  // Creating a token checks the names and the number of the existing ones.
  readonly #making = new Mutex();

  constructor(
    database: Database,
    private readonly accounts: Accounts,
    private readonly limit: number,
    private readonly now: () => number,
  ) {
    this.#records = new Records(database.records, 'token');
  }

  /** @throws NotFoundError `ACCOUNT_NOT_FOUND`; InvalidRecordError; ConflictError `ALREADY_EXISTS`; LimitError */
  create(account: string, options: { name?: string; readOnly?: boolean } = {}): Promise<NewToken> {
    return this.#making.run(() => this.#create(account, options));
  }

  async #create(account: string, options: { name?: string; readOnly?: boolean }): Promise<NewToken> {
    const { name, readOnly = false } = options;
    if (name !== undefined && !/^[^\p{C}]{1,100}$/u.test(name)) {
      throw new InvalidRecordError({ name: ['must be a text of 1 to 100 characters'] });
    }
    const { created: of } = await this.accounts.need(account);
    const others = await this.list(account);
    if (name !== undefined && others.some((other) => other.name === name)) {
      throw new ConflictError('ALREADY_EXISTS', `account ${account} has a token ${name} already`);
    }
    if (others.length >= this.limit) {
      throw new LimitError('QUOTA_EXCEEDED', `account ${account} has ${String(this.limit)} tokens, which is the limit`);
    }
    const { id, secret, text } = newToken();
    const created = new Date(this.now());
    await this.#records.put(id, {
      account,
      of: of.toISOString(),
      digest: digestOf(secret).toString('base64'),
      name,
      readOnly,
      created: created.toISOString(),
    });
    return { token: { id, account, name, readOnly, created }, text };
  }

  /** The tokens of an account, oldest first. */
  async list(account: string): Promise<Token[]> {
    const created = (await this.accounts.need(account)).created.toISOString();
    const found: Token[] = [];
    for (const [id, record] of await this.#records.list()) {
      if (record.account === account && record.of === created) found.push(tokenOf(id, record));
    }
    return found.sort((a, b) => a.created.getTime() - b.created.getTime());
  }

  /** Whether the store has any token. */
  async any(): Promise<boolean> {
    return (await this.#records.list()).size > 0;
  }

  /**
   * Revokes a token, named by its id or its name.
   * @throws NotFoundError `ACCOUNT_NOT_FOUND`, `TOKEN_NOT_FOUND`
   */
  async revoke(account: string, idOrName: string): Promise<Token> {
    const tokens = await this.list(account);
    const token = tokens.find(({ id }) => id === idOrName) ?? tokens.find(({ name }) => name === idOrName);
    if (token === undefined) {
      throw new NotFoundError('TOKEN_NOT_FOUND', `account ${account} has no token ${idOrName.slice(0, 100)}`);
    }
    await this.#drop([token.id]);
    return token;
  }

  /** Revokes all tokens of an account that was removed. */
  async revokeAll(account: string): Promise<void> {
    const ids = Array.from(await this.#records.list())
      .filter(([, record]) => record.account === account)
      .map(([id]) => id);
    await this.#drop(ids);
  }

  async #drop(ids: readonly string[]): Promise<void> {
    this.#changes++;
    try {
      await this.#records.delete(ids);
    } finally {
      this.#changes++;
      for (const id of ids) this.#cache.delete(id);
    }
  }

  /** The token of an id, with the digest to compare the sent secret with. */
  async find(id: string): Promise<KnownToken | undefined> {
    const cached = this.#cache.get(id);
    if (cached !== undefined && cached.until > this.now()) return cached.token;
    this.#cache.delete(id);
    const before = this.#changes;
    const record = await this.#records.get(id);
    const account = record && (await this.accounts.get(record.account));
    if (account === undefined || record!.of !== account.created.toISOString()) return undefined;
    const digest = Buffer.from(record!.digest, 'base64');
    const token: KnownToken = { ...tokenOf(id, record!), digest, admin: account.admin };
    if (before === this.#changes) this.#remember(id, token);
    return token;
  }

  #remember(id: string, token: KnownToken): void {
    if (this.#cache.size >= CACHED_TOKENS) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(id, { token, until: this.now() + CACHE_MS });
  }
}

function tokenOf(id: string, { account, name, readOnly, created }: TokenRecord): Token {
  return { id, account, name, readOnly, created: new Date(created) };
}
