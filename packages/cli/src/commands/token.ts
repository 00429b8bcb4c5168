/** `quadrille token`: manages the tokens of accounts. */
import type { Token } from '@quadrille/service';
import type { Command } from 'commander';
import { addJson, given } from '../options.js';
import { type Shell, withAccounts } from '../shell.js';

interface AddOptions {
  readonly read?: boolean;
  readonly name?: string;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille token add ./data acme
  $ quadrille token add ./data acme --read --name dashboard
  $ quadrille token list ./data acme
  $ quadrille token revoke ./data acme dashboard

The token is printed once and cannot be shown again: only a hash of it is kept. Clients send it as the user name of
HTTP Basic (curl -u TOKEN: …), as the password of the account (curl -u acme:TOKEN …), or as Bearer.
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
    .description('Make a token and print it, this once.')
    .argument('<store>', 'directory of the store')
    .argument('<account>', 'whose token')
    .option('--read', 'it may only read')
    .option('-n, --name <text>', 'to know it by');
  addJson(command).action(async (store: string, account: string, options: AddOptions) => {
    const { name, read } = options;
    await withAccounts(store, { create: false }, async ({ tokens }) => {
      const made = await tokens.create(account, given({ name, readOnly: read }));
      const { id, readOnly } = made.token;
      if (options.json === true) await shell.stdout.json({ account, token: made.text, id, name, readOnly });
      else await shell.stdout.line(made.text);
    });
  });
}

function addList(token: Command, shell: Shell): void {
  const command = token
    .command('list')
    .description('List the tokens of an account by id and name, the oldest first.')
    .argument('<store>', 'directory of the store')
    .argument('<account>', 'whose tokens');
  addJson(command).action(async (store: string, account: string, options: { json?: boolean }) => {
    await withAccounts(store, { create: false }, async ({ tokens }) => {
      for (const each of await tokens.list(account)) {
        await (options.json === true ? shell.stdout.json(asJson(each)) : shell.stdout.line(tokenLine(each)));
      }
    });
  });
}

function addRevoke(token: Command, shell: Shell): void {
  const command = token
    .command('revoke')
    .description('Make a token invalid.')
    .argument('<store>', 'directory of the store')
    .argument('<account>', 'whose token')
    .argument('<token>', 'its id or its name, as they are listed');
  addJson(command).action(async (store: string, account: string, which: string, options: { json?: boolean }) => {
    await withAccounts(store, { create: false }, async ({ tokens }) => {
      const revoked = await tokens.revoke(account, which);
      if (options.json === true) await shell.stdout.json({ ...asJson(revoked), revoked: true });
      else await shell.stdout.line(`revoked ${tokenLine(revoked)}`);
    });
  });
}

const asJson = ({ id, account, name, readOnly, created }: Token): object => ({
  id,
  account,
  name,
  readOnly,
  created: created.toISOString(),
});

function tokenLine({ id, name, readOnly, created }: Token): string {
  const parts = [id, created.toISOString().slice(0, 10), readOnly ? 'read' : 'read and write'];
  return [...parts, ...(name === undefined ? [] : [name])].join('  ');
}
