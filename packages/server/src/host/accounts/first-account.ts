/** Creates an account with a token when a store is served for the first time. */
import type { Database } from 'quadrille';
import { hostOf } from 'quadrille/host';
import type { Accounts } from './accounts.js';
import { Records } from '../records.js';
import type { Tokens } from './tokens.js';

const FIRST_ACCOUNT = 'default';

/** The account that a new server begins with. */
export interface FirstAccount {
  /** The name of the account. */
  readonly account: string;
  /** It cannot be read again later. */
  readonly token: string;
}

/**
 * At the first call for a store without tokens: gives a token to its account `default`, else to its first account, else to a
 * new one, and makes it administrator if there is none. Later calls return `undefined`.
 */
export async function ensureFirstAccount(
  database: Database,
  accounts: Accounts,
  tokens: Tokens,
): Promise<FirstAccount | undefined> {
  const records = new Records<{ readonly firstAccount: boolean }>(hostOf(database).records, 'server');
  if ((await records.get(''))?.firstAccount === true) return undefined;
  let made: FirstAccount | undefined;
  if (!(await tokens.any())) {
    const account = await firstOf(accounts);
    made = { account, token: (await tokens.create(account, { name: 'first' })).text };
  }
  await records.put('', { firstAccount: true });
  return made;
}

/** The name of an administrator. Where there is none, the first account becomes one. */
export async function administrator(accounts: Accounts): Promise<string> {
  return (await accounts.list()).find(({ admin }) => admin)?.name ?? firstOf(accounts);
}

/** The account `default`, else the first one, else a new one; an administrator if there is no other. */
async function firstOf(accounts: Accounts): Promise<string> {
  const present = await accounts.list();
  const names = present.map(({ name }) => name);
  const account = names.includes(FIRST_ACCOUNT) ? FIRST_ACCOUNT : (names[0] ?? FIRST_ACCOUNT);
  if (names.length === 0) await accounts.create(account);
  if (!present.some(({ admin }) => admin)) await accounts.set(account, { admin: true });
  return account;
}
