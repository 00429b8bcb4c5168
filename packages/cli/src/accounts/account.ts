/** `quadrille account`: the accounts of a store, or of a server that runs. */
import type { Command } from 'commander';
import { addJson, given } from '../options.js';
import { addTokenFile } from '../server/server-token.js';
import { READING, type Shell } from '../shell.js';
import type { ListedAccount } from './administrator.js';
import { STORE, withAdministrator } from './with-administrator.js';

interface CommonOptions {
  readonly tokenFile?: string;
  readonly json?: boolean;
}
interface AddOptions extends CommonOptions {
  readonly fullName?: string;
  readonly email?: string;
  readonly admin?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille account add ./data acme
  $ quadrille token add ./data acme                     the account's first token
  $ quadrille account list ./data --json
  $ quadrille account remove ./data acme
  $ quadrille account add https://data.example.org acme --token-file token.txt

Repositories belong to accounts, and whoever shows a token acts as its account. An account named --admin may do
everything on the server. A store that is being served is held by its server: give the address of that, and a token that may
operate, in QUADRILLE_TOKEN or the file of --token-file.
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
    .description('Add an account. Creates the store if it does not exist.')
    .argument('<store>', STORE)
    .argument('<name>', 'a-z, 0-9, _ and -, at most 100')
    .option('--full-name <text>', 'name of the person or organisation')
    .option('--email <address>', 'address for contact')
    .option('--admin', 'the account may administer the server');
  addJson(addTokenFile(command)).action(async (store: string, name: string, options: AddOptions) => {
    const { fullName, email, admin, json, tokenFile } = options;
    await withAdministrator(store, { create: true, tokenFile }, async (administrator) => {
      const added = await administrator.createAccount(name, given({ fullName, email, admin }));
      await (json === true ? shell.stdout.json(asJson(added)) : shell.stdout.line(`added ${name}`));
    });
  });
}

function addList(account: Command, shell: Shell): void {
  const command = account.command('list').description('List the accounts, by name.').argument('<store>', STORE);
  addJson(addTokenFile(command)).action(async (store: string, options: CommonOptions) => {
    await withAdministrator(store, { ...READING, tokenFile: options.tokenFile }, async (administrator) => {
      for (const each of await administrator.accounts()) {
        await (options.json === true ? shell.stdout.json(asJson(each)) : shell.stdout.line(accountLine(each)));
      }
    });
  });
}

function addRemove(account: Command, shell: Shell): void {
  const command = account
    .command('remove')
    .description('Remove an account that has no repositories, and its tokens.')
    .argument('<store>', STORE)
    .argument('<name>', 'the account')
    .option('--force', 'also delete its repositories with their history');
  addJson(addTokenFile(command)).action(
    async (store: string, name: string, options: CommonOptions & { force?: boolean }) => {
      await withAdministrator(store, { create: false, tokenFile: options.tokenFile }, async (administrator) => {
        await administrator.removeAccount(name, options.force === true);
        const removed = { account: name, removed: true };
        await (options.json === true ? shell.stdout.json(removed) : shell.stdout.line(`removed ${name}`));
      });
    },
  );
}

const asJson = ({ name, fullName, email, admin, created }: ListedAccount): object => ({
  account: name,
  fullName,
  email,
  admin,
  created: created.toISOString(),
});

function accountLine({ name, fullName, email, admin, created }: ListedAccount): string {
  const note = [fullName, email === undefined ? undefined : `<${email}>`, admin ? '(admin)' : undefined]
    .filter((part) => part !== undefined)
    .join(' ');
  return `${name}  ${created.toISOString().slice(0, 10)}${note === '' ? '' : `  ${note.replace(/\s+/g, ' ')}`}`;
}
