/** Chooses who changes accounts and tokens for a command: the command itself on a store, or the server that has the store open. */
import { StateError } from '@quadrille/model';
import type { OpenOptions } from 'quadrille';
import { withDatabase } from '../shell.js';
import type { Administrator, Place } from './administrator.js';

/** How a command opens a store: with {@link READING} beside a process that writes, if the store may be shared. */
export type Opened = Pick<OpenOptions, 'readOnly'> & { readonly create: boolean };

/** Runs a function with the administrator of a place. With `create` a missing store is made. */
export async function withAdministrator(
  place: Place,
  options: Opened,
  run: (administrator: Administrator) => Promise<void>,
): Promise<void> {
  if ('server' in place) {
    const { ServerAdministrator } = await import('./server-administrator.js');
    return run(new ServerAdministrator(place));
  }
  await withDatabase(place.store, options, async (database) => {
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
  }).catch(heldByServer);
}

const labelled = <T extends { readonly name: string | undefined }>(token: T): T & { label: string | undefined } => ({
  ...token,
  label: token.name,
});

/** Says what to do about a store that is held, perhaps by a server. */
export function heldByServer(error: unknown): never {
  if (!(error instanceof StateError) || error.code !== 'STORE_LOCKED') throw error;
  const hint = 'if that is a server, ask it: give --server URL instead of the store';
  throw new StateError('STORE_LOCKED', `${error.message.replace(/\.$/, '')}; ${hint}`, {
    cause: error,
    details: error.details,
  });
}
