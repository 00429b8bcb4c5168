/** `quadrille collaborator`: the accounts that may read or write a repository of another account. */
import type { Requests } from '@quadrille/client';
import type { Command } from 'commander';
import { addJson } from '../options.js';
import { isServer, requestsTo, serverPath } from '../server/server-place.js';
import { addTokenFile } from '../server/server-token.js';
import { ALONE, READING, type Shell, withDatabase } from '../shell.js';
import { type Opened, STORE } from './with-administrator.js';

const EXAMPLES = `
Examples:
  $ quadrille collaborator add ./data acme/people jo            jo may read
  $ quadrille collaborator add ./data acme/people jo --write    jo may read and write
  $ quadrille collaborator list ./data acme/people
  $ quadrille collaborator remove https://data.example.org acme/people jo

A store that is being served is held by its server: give the address of that, and a token of the owner or of an operator, in
QUADRILLE_TOKEN or the file of --token-file.
`;

interface Options {
  readonly tokenFile?: string;
  readonly json?: boolean;
  readonly write?: boolean;
}

type Shared = 'read' | 'write';

/** Changes the rights of a repository for a command. */
interface Sharing {
  list(): Promise<Readonly<Record<string, Shared>>>;
  set(account: string, access: Shared | 'none'): Promise<void>;
}

export function addCollaborator(program: Command, shell: Shell): void {
  const collaborator = program
    .command('collaborator')
    .description('Manage the accounts that may use a repository of another account.');
  collaborator.addHelpText('after', EXAMPLES);
  addChange(collaborator, shell, 'add');
  addChange(collaborator, shell, 'remove');
  addList(collaborator, shell);
}

const subcommand = (collaborator: Command, name: string, description: string): Command =>
  addJson(
    addTokenFile(
      collaborator
        .command(name)
        .description(description)
        .argument('<store>', STORE)
        .argument('<repository>', 'account/repository'),
    ),
  );

function addChange(collaborator: Command, shell: Shell, kind: 'add' | 'remove'): void {
  const description =
    kind === 'add' ? 'Allow an account to read a repository or to write to it.' : 'Remove the rights of an account.';
  const command = subcommand(collaborator, kind, description).argument('<account>', 'the other account');
  if (kind === 'add') command.option('--write', 'allow it to write too');
  command.action(async (store: string, repository: string, account: string, options: Options) => {
    const access = kind === 'remove' ? 'none' : options.write === true ? 'write' : 'read';
    await withSharing(store, repository, options, { create: false }, async (sharing) => {
      await sharing.set(account, access);
      const done = { repository, account, read: access !== 'none', write: access === 'write' };
      const text = kind === 'add' ? `${account} may ${access}` : `removed ${account}`;
      await (options.json === true ? shell.stdout.json(done) : shell.stdout.line(text));
    });
  });
}

function addList(collaborator: Command, shell: Shell): void {
  subcommand(collaborator, 'list', 'List the accounts that may use a repository.').action(
    async (store: string, repository: string, options: Options) => {
      await withSharing(store, repository, options, READING, async (sharing) => {
        for (const [account, access] of Object.entries(await sharing.list())) {
          const listed = { repository, account, read: true, write: access === 'write' };
          await (options.json === true ? shell.stdout.json(listed) : shell.stdout.line(`${account}  ${access}`));
        }
      });
    },
  );
}

async function withSharing(
  place: string,
  repository: string,
  { tokenFile }: Options,
  open: Opened,
  run: (sharing: Sharing) => Promise<void>,
): Promise<void> {
  if (isServer(place)) return run(serverSharing(await requestsTo(place, tokenFile), repository));
  await withDatabase(place, { ...open, ...ALONE }, async (database) => {
    const { openAccounts, OPERATOR } = await import('@quadrille/server/host');
    const { collaborators } = openAccounts(database);
    await run({
      list: () => collaborators.list(OPERATOR, repository),
      set: (account, access) => collaborators.set(OPERATOR, repository, account, access),
    });
  });
}

function serverSharing(server: Requests, repository: string): Sharing {
  const path = (...rest: string[]): string => serverPath(...repository.split('/'), 'collaborators', ...rest);
  return {
    async list() {
      const listed = await server.json<Record<string, { write: boolean }>>({ path: path() });
      return Object.fromEntries(Object.entries(listed).map(([name, { write }]) => [name, write ? 'write' : 'read']));
    },
    async set(account, access) {
      const json = access === 'none' ? undefined : { read: true, write: access === 'write' };
      await server.send({ method: json === undefined ? 'DELETE' : 'PUT', path: path(account), json });
    },
  };
}
