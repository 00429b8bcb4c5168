/**
 * Changes accounts and tokens for callers over the network, and records who did it. Interfaces check first that the caller is an operator
 * (accounts), or owns the account (tokens).
 */
import { AccessError, ConflictError, InvalidRecordError } from '@quadrille/model';
import type { Namespaces } from 'quadrille';
import type { Account, AccountFields, Accounts } from './accounts.js';
import type { Audit, AuditEntry } from './audit.js';
import type { Caller, Right } from './caller.js';
import type { NewToken, Token, Tokens } from './tokens.js';
import { lacks, mayDo, rightsOfAccount } from './token-rights.js';

/** The options of a new token. */
export interface TokenFields {
  /** A text by which its owner knows it. */
  readonly label?: string | undefined;
  /** `all`: those that the account has, also later. Default `read` and `write`. */
  readonly rights?: readonly Right[] | 'all' | undefined;
  /** Default never. */
  readonly expires?: Date | undefined;
}

export interface AdministrationParts {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly audit: Audit;
  /** Deletes all repositories of an account, as this caller. */
  readonly clear: (caller: Caller, account: string) => Promise<void>;
  /** The prefixes that the repositories of an account have in common. */
  readonly namespaces: (account: string) => Namespaces;
}

const DEFAULT_RIGHTS: readonly Right[] = ['read', 'write'];
const ALL_RIGHTS = { readOnly: false, admin: true, rights: rightsOfAccount(true) } as const;
/** The number of attempts of a forced deletion. A running request may create another repository meanwhile. */
const MOST_ATTEMPTS = 5;

/** Accounts and tokens as operators and owners change them while the server runs. Each change is audited. */
export class Administration {
  constructor(private readonly parts: AdministrationParts) {}

  /** All accounts, by name. */
  accounts(): Promise<Account[]> {
    return this.parts.accounts.list();
  }

  /** @throws InvalidRecordError; ConflictError `ALREADY_EXISTS` */
  async createAccount(caller: Caller, name: string, fields: AccountFields = {}): Promise<Account> {
    const account = await this.parts.accounts.create(name, fields);
    await this.parts.audit.add(caller, { action: 'account.create', subject: name, details: { admin: account.admin } });
    return account;
  }

  /**
   * Removes an account with its tokens. With `force` also its repositories: its tokens are revoked first, so that nobody can add to what
   * is deleted. If that fails on the way, the account is left without tokens, and with the repositories that are not deleted yet.
   * @throws NotFoundError `ACCOUNT_NOT_FOUND`; ConflictError `ACCOUNT_NOT_EMPTY`
   */
  async removeAccount(caller: Caller, name: string, force = false): Promise<void> {
    const { accounts, tokens, audit, clear } = this.parts;
    await accounts.need(name);
    for (let attempt = 1; ; attempt++) {
      if (force) await tokens.revokeAll(name);
      // The caller may act for this very account, and its token is revoked by now. It had the right when it asked.
      if (force) await clear({ ...caller, ...ALL_RIGHTS }, name);
      try {
        // Somebody else may have removed it meanwhile.
        if (await accounts.remove(name))
          await audit.add(caller, { action: 'account.delete', subject: name, details: { force } });
        return;
      } catch (error) {
        const isNew = error instanceof ConflictError && error.code === 'ACCOUNT_NOT_EMPTY';
        if (!force || !isNew || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  /** The tokens of an account, the oldest first. @throws NotFoundError `ACCOUNT_NOT_FOUND` */
  tokens(account: string): Promise<Token[]> {
    return this.parts.tokens.list(account);
  }

  /**
   * Makes a token. Nobody can give a right that it does not have itself; an operator has all of them.
   * @throws AccessError `FORBIDDEN`; NotFoundError `ACCOUNT_NOT_FOUND`; InvalidRecordError; ConflictError `ALREADY_EXISTS`; LimitError
   */
  async createToken(caller: Caller, account: string, fields: TokenFields): Promise<NewToken> {
    const { label, expires } = fields;
    const all = rightsOfAccount((await this.parts.accounts.need(account)).admin);
    const rights = fields.rights === 'all' ? all : (fields.rights ?? DEFAULT_RIGHTS);
    const missing = rights.find((right) => !mayDo(caller, right));
    if (missing !== undefined && !mayDo(caller, 'operate'))
      throw new AccessError('FORBIDDEN', `${lacks(caller, missing)}, so it cannot give it`);
    const beyond = rights.find((right) => !all.includes(right));
    if (beyond !== undefined)
      throw new InvalidRecordError({ rights: [`account ${account} does not have the right ${beyond}`] });
    const made = await this.parts.tokens.create(account, {
      name: label,
      expires,
      ...(fields.rights !== 'all' && { rights }),
    });
    await this.parts.audit.add(caller, {
      action: 'token.create',
      subject: `${account}/${made.token.id}`,
      details: { label: label ?? null, rights: made.token.rights, expires: expires?.toISOString() ?? null },
    });
    return made;
  }

  /** By id. @throws NotFoundError `ACCOUNT_NOT_FOUND`, `TOKEN_NOT_FOUND` */
  async revokeToken(caller: Caller, account: string, id: string): Promise<void> {
    await this.parts.tokens.revoke(account, id, 'id');
    await this.parts.audit.add(caller, { action: 'token.revoke', subject: `${account}/${id}` });
  }

  /**
   * The prefixes of an account, which all its repositories have. Changes are recorded.
   * @throws NotFoundError `ACCOUNT_NOT_FOUND`
   */
  async namespaces(caller: Caller, account: string): Promise<Namespaces> {
    const { accounts, audit, namespaces } = this.parts;
    await accounts.need(account);
    const stored = namespaces(account);
    return {
      get: (prefix) => stored.get(prefix),
      list: () => stored.list(),
      async set(prefix, iri) {
        await stored.set(prefix, iri);
        await audit.add(caller, { action: 'namespace.set', subject: account, details: { prefix, namespace: iri } });
      },
      async delete(prefix) {
        const wasThere = await stored.delete(prefix);
        if (wasThere) await audit.add(caller, { action: 'namespace.delete', subject: account, details: { prefix } });
        return wasThere;
      },
    };
  }

  /** The newest entries of the record of changes: all of them, or those about one subject, such as `account/repository`. */
  audited(limit: number, subject?: string): Promise<AuditEntry[]> {
    return this.parts.audit.newest(limit, subject);
  }
}
