/** The accounts of a server. The methods are for the operator and check no rights. */
import { ConflictError, InvalidRecordError, NotFoundError } from '@quadrille/model';
import type { KeyedMutex } from '@quadrille/model';
import type { Database } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { Records } from '../records.js';
import { isSlug } from '../repositories/slug.js';

/** An account: who may sign in, and owns repositories. */
export interface Account {
  /** Its name. */
  readonly name: string;
  /** A display name. */
  readonly fullName: string | undefined;
  /** The address of its owner. */
  readonly email: string | undefined;
  /** Whether the account has all rights on this server. */
  readonly admin: boolean;
  /** When it was created. */
  readonly created: Date;
}

/** The fields of an account that can be changed. An absent field stays the same. */
export interface AccountFields {
  /** The name of the person or the organisation. */
  readonly fullName?: string | undefined;
  /** The address of its owner. */
  readonly email?: string | undefined;
  /** Whether it may operate the server. */
  readonly admin?: boolean | undefined;
}

/** The stored fields of an account. */
interface AccountRecord extends AccountFields {
  /** When the account was created, ISO 8601. A record with another time belongs to an earlier account of this name. */
  readonly of: string;
}

/** The accounts of a service. */
export class Accounts {
  readonly #records: Records<AccountRecord>;
  /** Called after an account was removed. */
  onRemoved: (name: string) => Promise<void> = async () => undefined;

  constructor(
    private readonly database: Database,
    private readonly locks: KeyedMutex,
  ) {
    this.#records = new Records(hostOf(database).records, 'account');
  }

  /** All accounts, sorted by name. */
  async list(): Promise<Account[]> {
    const accounts = await Promise.all((await this.database.accounts.list().toArray()).map((name) => this.get(name)));
    return accounts.filter((account) => account !== undefined);
  }

  /** `undefined` if the account does not exist or the name is impossible. */
  async get(name: string): Promise<Account | undefined> {
    if (!isSlug(name)) return undefined;
    const created = await this.database.accounts.created(name);
    if (created === undefined) return undefined;
    const record = await this.#records.get(name);
    const { fullName, email, admin = false } = record?.of === created.toISOString() ? record : {};
    return { name, fullName, email, admin, created };
  }

  /** @throws NotFoundError `ACCOUNT_NOT_FOUND` */
  async need(name: string): Promise<Account> {
    const account = await this.get(name);
    if (account !== undefined) return account;
    throw new NotFoundError('ACCOUNT_NOT_FOUND', `there is no account ${name.slice(0, 100)}`);
  }

  /** @throws InvalidRecordError; ConflictError `ALREADY_EXISTS` */
  async create(name: string, fields: AccountFields = {}): Promise<Account> {
    if (!isSlug(name)) {
      throw new InvalidRecordError({ name: ['must be a-z, 0-9, _ and -, at most 100, and no reserved word'] });
    }
    return this.locks.run(name, async () => {
      await this.database.accounts.create(name);
      return this.set(name, fields);
    });
  }

  /** Makes an account where there is none. @throws NotFoundError `ACCOUNT_NOT_FOUND` for what can be no name */
  async ensure(name: string): Promise<Account> {
    return (await this.get(name)) ?? (isSlug(name) ? this.create(name) : this.need(name));
  }

  /** Changes fields of an account. Absent fields are not changed. */
  async set(name: string, fields: AccountFields): Promise<Account> {
    const { created, fullName, email, admin } = await this.need(name);
    await this.#records.put(name, { fullName, email, admin, ...fields, of: created.toISOString() });
    return this.need(name);
  }

  /**
   * Removes an account and its tokens. False if there was none.
   * @throws ConflictError `ACCOUNT_NOT_EMPTY` while it has repositories
   */
  async remove(name: string): Promise<boolean> {
    if (!isSlug(name)) return false;
    return this.locks.run(name, async () => {
      if (!(await this.database.accounts.delete(name).catch(notEmpty))) return false;
      // If the process ends here, the remaining records belong to no account, because their time of creation matches none.
      await this.#records.delete([name]);
      await this.onRemoved(name);
      return true;
    });
  }
}

function notEmpty(error: unknown): never {
  if (!(error instanceof ConflictError) || error.code !== 'PRECONDITION_FAILED') throw error;
  throw new ConflictError('ACCOUNT_NOT_EMPTY', error.message, { cause: error });
}
