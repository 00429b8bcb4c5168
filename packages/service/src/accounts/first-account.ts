/** A store that is served for the first time gets an account with a token, so that somebody can use it. */
import type { Database } from 'quadrille';
import type { Accounts } from './accounts.js';
import { Records } from '../records.js';
import type { Tokens } from './tokens.js';

const FIRST_ACCOUNT = 'default';

export interface FirstAccount {
  readonly account: string;
  /** Shown here and never again. */
  readonly token: string;
}

/**
 * Once in the life of a store, and only where it has no tokens: its account `default`, else its first one, else a new one
 * gets a token, and is administrator where nobody is. `undefined` ever after.
 */
export async function ensureFirstAccount(
  database: Database,
  accounts: Accounts,
  tokens: Tokens,
): Promise<FirstAccount | undefined> {
  const records = new Records<{ readonly firstAccount: boolean }>(database.records, 'server');
  if ((await records.get(''))?.firstAccount === true) return undefined;
  let made: FirstAccount | undefined;
  if (!(await tokens.any())) {
    const present = await accounts.list();
    const names = present.map(({ name }) => name);
    const account = names.includes(FIRST_ACCOUNT) ? FIRST_ACCOUNT : (names[0] ?? FIRST_ACCOUNT);
    if (names.length === 0) await accounts.create(account);
    if (!present.some(({ admin }) => admin)) await accounts.set(account, { admin: true });
    made = { account, token: (await tokens.create(account, { name: 'first' })).text };
  }
  await records.put('', { firstAccount: true });
  return made;
}
