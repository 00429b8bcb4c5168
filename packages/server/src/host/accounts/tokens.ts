/** The tokens of accounts. The methods are for the operator and check no rights. */
import { platform } from '#host-platform';
import { ConflictError, InvalidRecordError, LimitError, Mutex, NotFoundError } from '@quadrille/model';
import type { Database } from 'quadrille';
import { hostOf } from 'quadrille/host';
import type { Accounts } from './accounts.js';
import type { Right } from './caller.js';
import { Records } from '../records.js';
import { digestOf, newToken } from './token-text.js';
import { rightsOfAccount, withIncluded } from './token-rights.js';

/** A token without its secret. */
export interface Token {
  /** Public; the first part of the token's text. */
  readonly id: string;
  /** The account that it belongs to. */
  readonly account: string;
  /** A label. */
  readonly name: string | undefined;
  /** Whether it may only read. */
  readonly readOnly: boolean;
  /** Never more than those of its account. */
  readonly rights: readonly Right[];
  /** When it was created. */
  readonly created: Date;
  /** From then on it is not valid any more; `undefined`: never. */
  readonly expires: Date | undefined;
}

/** The options of a new token. */
export interface TokenOptions {
  /** A label, unique in its account. */
  readonly name?: string | undefined;
  /** `['read']`, unless there are `rights`. */
  readonly readOnly?: boolean | undefined;
  /** Default: all rights of the account. */
  readonly rights?: readonly Right[] | undefined;
  /** Default: never. */
  readonly expires?: Date | undefined;
}

/** A token that was just made. */
export interface NewToken {
  /** The stored record of the token. */
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
  /** Without it: `read` of a token that is `readOnly`, else all rights of the account. */
  readonly rights?: readonly Right[] | undefined;
  readonly created: string;
  readonly expires?: string | undefined;
}

/** A token with the data that authentication needs. */
export interface KnownToken extends Token {
  readonly digest: Uint8Array;
  readonly admin: boolean;
}

/** Time after which a revocation by another process takes effect. */
const CACHE_MS = 5000;
const CACHED_TOKENS = 1000;

/** The tokens of a service. Only digests of their secrets are stored. */
export class Tokens {
  readonly #records: Records<TokenRecord>;
  readonly #cache = new Map<string, { readonly token: KnownToken; readonly until: number }>();
  // A lookup that began before a change must not put its result into the cache.
  #changes = 0;
  #refreshes = 0;
  // Creating a token checks the names and the number of the existing ones.
  readonly #making = new Mutex();

  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly limit: number,
    private readonly now: () => number,
  ) {
    this.#records = new Records(hostOf(database).records, 'token');
  }

  /** @throws NotFoundError `ACCOUNT_NOT_FOUND`; InvalidRecordError; ConflictError `ALREADY_EXISTS`; LimitError */
  create(account: string, options: TokenOptions = {}): Promise<NewToken> {
    return this.#making.run(() => this.#create(account, options));
  }

  async #create(account: string, options: TokenOptions): Promise<NewToken> {
    const { name, expires } = options;
    const rights = options.rights && withIncluded(options.rights);
    const readOnly = rights === undefined ? options.readOnly === true : !rights.includes('write');
    const created = new Date(this.now());
    if (name !== undefined && !/^[^\p{C}]{1,100}$/u.test(name)) {
      throw new InvalidRecordError({ name: ['must be a text of 1 to 100 characters'] });
    }
    if (expires !== undefined && !(expires > created)) throw new InvalidRecordError({ expires: ['is in the past'] });
    const { created: of, admin } = await this.accounts.need(account);
    // Those that have expired take no room, and their names are free.
    await this.#dropExpired(account);
    const others = await this.list(account);
    if (name !== undefined && others.some((other) => other.name === name)) {
      throw new ConflictError('ALREADY_EXISTS', `account ${account} has a token ${name} already`);
    }
    if (others.length >= this.limit) {
      throw new LimitError('QUOTA_EXCEEDED', `account ${account} has ${String(this.limit)} tokens, which is the limit`);
    }
    const { id, secret, text } = newToken();
    const record: TokenRecord = {
      account,
      of: of.toISOString(),
      digest: platform.toBase64(digestOf(secret)),
      name,
      readOnly,
      rights,
      created: created.toISOString(),
      expires: expires?.toISOString(),
    };
    await this.#records.put(id, record);
    return { token: tokenOf(id, record, admin), text };
  }

  async #dropExpired(account: string): Promise<void> {
    const expired = (await this.list(account)).filter((token) => this.#isExpired(token));
    if (expired.length > 0) await this.#drop(expired.map(({ id }) => id));
  }

  #isExpired({ expires }: Token): boolean {
    return expires !== undefined && expires.getTime() <= this.now();
  }

  /** The tokens of an account, oldest first; also those that have expired. @throws NotFoundError `ACCOUNT_NOT_FOUND` */
  async list(account: string): Promise<Token[]> {
    const { created, admin } = await this.accounts.need(account);
    const of = created.toISOString();
    const found: Token[] = [];
    for (const [id, record] of await this.#records.list()) {
      if (record.account === account && record.of === of) found.push(tokenOf(id, record, admin));
    }
    return found.sort((a, b) => a.created.getTime() - b.created.getTime());
  }

  /** Whether the store has any token. */
  async any(): Promise<boolean> {
    return (await this.#records.list()).size > 0;
  }

  /**
   * Revokes a token, named by its id, or by its name unless `by` is `id`.
   * @throws NotFoundError `ACCOUNT_NOT_FOUND`, `TOKEN_NOT_FOUND`
   */
  async revoke(account: string, idOrName: string, by: 'id' | 'either' = 'either'): Promise<Token> {
    const tokens = await this.list(account);
    const named = by === 'either' ? tokens.find(({ name }) => name === idOrName) : undefined;
    const token = tokens.find(({ id }) => id === idOrName) ?? named;
    if (token === undefined) {
      throw new NotFoundError('TOKEN_NOT_FOUND', `account ${account} has no token ${idOrName.slice(0, 100)}`);
    }
    await this.#drop([token.id]);
    return token;
  }

  /** Revokes all tokens of an account, whether it is there or not. */
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

  /** The valid token of an id, with the digest to compare the sent secret with. */
  async find(id: string): Promise<KnownToken | undefined> {
    const { refreshes } = hostOf(this.database);
    // Another process may have revoked any of them.
    if (refreshes !== this.#refreshes) this.#cache.clear();
    this.#refreshes = refreshes;
    const cached = this.#cache.get(id);
    if (cached !== undefined && cached.until > this.now() && !this.#isExpired(cached.token)) return cached.token;
    this.#cache.delete(id);
    const before = this.#changes;
    const record = await this.#records.get(id);
    const account = record && (await this.accounts.get(record.account));
    if (account === undefined || record!.of !== account.created.toISOString()) return undefined;
    const digest = platform.fromBase64(record!.digest);
    const token: KnownToken = { ...tokenOf(id, record!, account.admin), digest, admin: account.admin };
    if (this.#isExpired(token)) return undefined;
    if (before === this.#changes && hostOf(this.database).refreshes === refreshes) this.#remember(id, token);
    return token;
  }

  #remember(id: string, token: KnownToken): void {
    if (this.#cache.size >= CACHED_TOKENS) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(id, { token, until: this.now() + CACHE_MS });
  }
}

function tokenOf(id: string, record: TokenRecord, admin: boolean): Token {
  const { account, name, readOnly, created, expires } = record;
  const all = rightsOfAccount(admin);
  const given = record.rights ?? (readOnly ? (['read'] as const) : all);
  return {
    id,
    account,
    name,
    readOnly,
    // The account may have lost a right since.
    rights: given.filter((right) => all.includes(right)),
    created: new Date(created),
    expires: expires === undefined ? undefined : new Date(expires),
  };
}
