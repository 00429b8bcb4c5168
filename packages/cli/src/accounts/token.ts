/** `quadrille token`: the tokens of accounts of a store, or of a server that runs. */
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import type { Right } from '@quadrille/server/host';
import type { Command } from 'commander';
import { addJson } from '../options.js';
import { addTokenFile } from '../server/server-token.js';
import { READING, type Shell } from '../shell.js';
import type { ListedToken } from './administrator.js';
import { STORE, withAdministrator } from './with-administrator.js';

interface CommonOptions {
  readonly tokenFile?: string;
  readonly json?: boolean;
}
interface AddOptions extends CommonOptions {
  readonly read?: boolean;
  readonly rights?: string;
  readonly name?: string;
  readonly label?: string;
  readonly expires?: string;
}

const EXAMPLES = `
Examples:
  $ quadrille token add ./data acme
  $ quadrille token add ./data acme --rights read --label dashboard --expires 2027-01-31
  $ quadrille token list ./data acme
  $ quadrille token revoke ./data acme dashboard
  $ quadrille token add https://data.example.org acme --rights read,write --token-file token.txt

The token is printed once and cannot be shown again: only a hash of it is kept. Clients send it as the user name of
HTTP Basic (curl -u TOKEN: …), as the password of the account (curl -u acme:TOKEN …), or as Bearer. Rights are read, write (which includes
read), own (which includes both), replicate (to push) and, of accounts named --admin, operate; without --rights all those of the account. A store that is being
served is held by its server: give the address of that, and a token of the account that may own, or one that may operate, in
QUADRILLE_TOKEN or the file of --token-file.
`;

export function addToken(program: Command, shell: Shell): void {
  const token = program.command('token').description('Add, list and revoke the tokens of an account.');
  token.addHelpText('after', EXAMPLES);
  addAdd(token, shell);
  addList(token, shell);
  addRevoke(token, shell);
}

function addAdd(token: Command, shell: Shell): void {
  const command = token
    .command('add')
    .description('Create a token and print it. It cannot be shown again.')
    .argument('<store>', STORE)
    .argument('<account>', 'account of the token')
    .option('--rights <list>', 'read, write, own, replicate, operate (default: all of the account)')
    .option('--read', 'the same as --rights read')
    .option('--label <text>', 'label of the token, for lists')
    .option('-n, --name <text>', 'the same as --label')
    .option('--expires <time>', 'an ISO date, or a time with its zone (default: never)');
  addJson(addTokenFile(command)).action(async (store: string, account: string, options: AddOptions) => {
    const rights = await rightsOf(options);
    const expires = await expiryOf(options);
    const label = options.label ?? options.name;
    await withAdministrator(store, { create: false, tokenFile: options.tokenFile }, async (administrator) => {
      const made = await administrator.createToken(account, { label, rights, expires });
      if (options.json === true) await shell.stdout.json({ ...asJson(account, made), token: made.text });
      else await shell.stdout.line(made.text);
    });
  });
}

async function rightsOf({ read, rights }: AddOptions): Promise<readonly Right[] | 'all'> {
  if (rights !== undefined && read === true)
    throw new InvalidArgumentError('INVALID_OPTION', 'give --rights or --read, not both');
  if (rights === undefined || rights === 'all') return read === true ? ['read'] : 'all';
  const { checkedRights } = await import('@quadrille/server/host');
  return checkedRights(rights.split(',').map((right) => right.trim()));
}

async function expiryOf({ expires }: AddOptions): Promise<Date | undefined> {
  if (expires === undefined) return undefined;
  const { checkedExpiry } = await import('@quadrille/server/host');
  return checkedExpiry(expires);
}

function addList(token: Command, shell: Shell): void {
  const command = token
    .command('list')
    .description('List the tokens of an account by id and label, the oldest first.')
    .argument('<store>', STORE)
    .argument('<account>', 'account of the tokens');
  addJson(addTokenFile(command)).action(async (store: string, account: string, options: CommonOptions) => {
    await withAdministrator(store, { ...READING, tokenFile: options.tokenFile }, async (administrator) => {
      for (const each of await administrator.tokens(account)) {
        await (options.json === true ? shell.stdout.json(asJson(account, each)) : shell.stdout.line(tokenLine(each)));
      }
    });
  });
}

function addRevoke(token: Command, shell: Shell): void {
  const command = token
    .command('revoke')
    .description('Revoke a token.')
    .argument('<store>', STORE)
    .argument('<account>', 'account of the token')
    .argument('<token>', 'id or label of the token');
  addJson(addTokenFile(command)).action(
    async (store: string, account: string, which: string, options: CommonOptions) => {
      await withAdministrator(store, { create: false, tokenFile: options.tokenFile }, async (administrator) => {
        const revoked = named(await administrator.tokens(account), account, which);
        await administrator.revokeToken(account, revoked.id);
        if (options.json === true) await shell.stdout.json({ ...asJson(account, revoked), revoked: true });
        else await shell.stdout.line(`revoked ${tokenLine(revoked)}`);
      });
    },
  );
}

/** A token by its id, else by its label. */
function named(tokens: readonly ListedToken[], account: string, which: string): ListedToken {
  const token = tokens.find(({ id }) => id === which) ?? tokens.find(({ label }) => label === which);
  if (token !== undefined) return token;
  throw new NotFoundError('TOKEN_NOT_FOUND', `account ${account} has no token ${which.slice(0, 100)}`);
}

const asJson = (account: string, { id, label, rights, created, expires }: ListedToken): object => ({
  id,
  account,
  name: label,
  readOnly: !rights.includes('write'),
  rights,
  created: created.toISOString(),
  expires: expires?.toISOString() ?? null,
});

function tokenLine({ id, label, rights, created, expires }: ListedToken): string {
  return [
    id,
    created.toISOString().slice(0, 10),
    rights.join(','),
    ...(expires === undefined ? [] : [`until ${expires.toISOString()}`]),
    ...(label === undefined ? [] : [label]),
  ].join('  ');
}
