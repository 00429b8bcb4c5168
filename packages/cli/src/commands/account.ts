/** `quadrille account`: the accounts that a served store has. */
import type { Account } from '@quadrille/service';
import { NotFoundError } from '@quadrille/model';
import type { Command } from 'commander';
import { addJson, given } from '../options.js';
import { type Shell, withAccounts } from '../shell.js';

interface AddOptions {
  readonly fullName?: string;
  readonly email?: string;
  readonly admin?: boolean;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille account add ./data acme
  $ quadrille token add ./data acme                     the account's first token
  $ quadrille account list ./data --json
  $ quadrille account remove ./data acme

Repositories belong to accounts, and whoever shows a token acts as its account. An account named --admin may do
everything on the server. A store that is being served is held by its server: stop it first.
`;

export function addAccount(program: Command, shell: Shell): void {
  const account = program.command('account').description('Add, list and remove the accounts of a store.');
  account.addHelpText('after', EXAMPLES);
  addAdd(account, shell);
  addList(account, shell);
  addRemove(account, shell);
}

function addAdd(account: Command, shell: Shell): void {
  const command = account
    .command('add')
    .description('Add an account. Makes the store where there is none.')
    .argument('<store>', 'directory of the store')
    .argument('<name>', 'a-z, 0-9, _ and -, at most 100')
    .option('--full-name <text>', 'for people')
    .option('--email <address>', 'for people')
    .option('--admin', 'may do everything on the server');
  addJson(command).action(async (store: string, name: string, options: AddOptions) => {
    const { fullName, email, admin } = options;
    await withAccounts(store, { create: true }, async ({ accounts }) => {
      const added = await accounts.create(name, given({ fullName, email, admin }));
      await (options.json === true ? shell.stdout.json(asJson(added)) : shell.stdout.line(`added ${name}`));
    });
  });
}

function addList(account: Command, shell: Shell): void {
  const command = account
    .command('list')
    .description('List the accounts, by name.')
    .argument('<store>', 'directory of the store');
  addJson(command).action(async (store: string, options: { json?: boolean }) => {
    await withAccounts(store, { create: false }, async ({ accounts }) => {
      for (const each of await accounts.list()) {
        await (options.json === true ? shell.stdout.json(asJson(each)) : shell.stdout.line(accountLine(each)));
      }
    });
  });
}

function addRemove(account: Command, shell: Shell): void {
  const command = account
    .command('remove')
    .description('Remove an account that has no repositories, and its tokens.')
    .argument('<store>', 'directory of the store')
    .argument('<name>', 'the account');
  addJson(command).action(async (store: string, name: string, options: { json?: boolean }) => {
    await withAccounts(store, { create: false }, async ({ accounts }) => {
      if (!(await accounts.remove(name))) {
        throw new NotFoundError('ACCOUNT_NOT_FOUND', `there is no account ${name}`, { details: { account: name } });
      }
      const removed = { account: name, removed: true };
      await (options.json === true ? shell.stdout.json(removed) : shell.stdout.line(`removed ${name}`));
    });
  });
}

const asJson = ({ name, fullName, email, admin, created }: Account): object => ({
  account: name,
  fullName,
  email,
  admin,
  created: created.toISOString(),
});

function accountLine({ name, fullName, email, admin, created }: Account): string {
  const note = [fullName, email === undefined ? undefined : `<${email}>`, admin ? '(admin)' : undefined]
    .filter((part) => part !== undefined)
    .join(' ');
  return `${name}  ${created.toISOString().slice(0, 10)}${note === '' ? '' : `  ${note.replace(/\s+/g, ' ')}`}`;
}
