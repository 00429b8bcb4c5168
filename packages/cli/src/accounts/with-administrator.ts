/** Chooses who changes accounts and tokens for a command: the command itself on a store, or the server that has the store open. */
import type { OpenOptions } from 'quadrille';
import { isServer, requestsTo } from '../server/server-place.js';
import { ALONE, withDatabase } from '../shell.js';
import type { Administrator } from './administrator.js';

/** How a command opens a store: with {@link READING} beside a process that writes, if the store may be shared. */
export type Opened = Pick<OpenOptions, 'readOnly'> & { readonly create: boolean };

/** How the help calls a place that has accounts. */
export const STORE = 'directory or URL of the store, or address of a server';

/** Runs a function with the administrator of a place. With `create` a missing store is made. */
export async function withAdministrator(
  place: string,
  options: Opened & { readonly tokenFile: string | undefined },
  run: (administrator: Administrator) => Promise<void>,
): Promise<void> {
  const { tokenFile, ...open } = options;
  if (isServer(place)) {
    const { ServerAdministrator } = await import('./server-administrator.js');
    return run(new ServerAdministrator(await requestsTo(place, tokenFile)));
  }
  await withDatabase(place, { ...open, ...ALONE }, async (database) => {
    const { openAccounts, OPERATOR } = await import('@quadrille/server/host');
    const { administration } = openAccounts(database);
    await run({
      accounts: () => administration.accounts(),
      createAccount: (name, fields) => administration.createAccount(OPERATOR, name, fields),
      removeAccount: (name, force) => administration.removeAccount(OPERATOR, name, force),
      tokens: async (account) => (await administration.tokens(account)).map(labelled),
      async createToken(account, fields) {
        const { token, text } = await administration.createToken(OPERATOR, account, fields);
        return { ...labelled(token), text };
      },
      revokeToken: (account, id) => administration.revokeToken(OPERATOR, account, id),
    });
  });
}

const labelled = <T extends { readonly name: string | undefined }>(token: T): T & { label: string | undefined } => ({
  ...token,
  label: token.name,
});
