/** `quadrille namespace`: the prefixes of an account, which all its repositories have, and those of one repository. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import type { Namespaces } from 'quadrille';
import { addJson } from '../options.js';
import { isServer, requestsTo } from '../server/server-place.js';
import { addTokenFile } from '../server/server-token.js';
import { ALONE, READING, type Shell, withDatabase } from '../shell.js';
import { type Opened, STORE } from './with-administrator.js';

const EXAMPLES = `
Examples:
  $ quadrille namespace add ./data acme ex http://example.org/ns#
  $ quadrille namespace list ./data acme
  $ quadrille namespace remove ./data acme/people ex
  $ quadrille namespace add https://data.example.org acme ex http://example.org/ns#

Queries and updates need not declare these prefixes, and documents are written with them. Prefixes of a repository override the prefixes of its
account; PREFIX in a text beats both. A store that is being served is held by its server: give the address of that, and a token in
QUADRILLE_TOKEN or the file of --token-file.
`;

interface Options {
  readonly tokenFile?: string;
  readonly json?: boolean;
}

export function addNamespace(program: Command, shell: Shell): void {
  const namespace = program
    .command('namespace')
    .description('Add, list and remove the prefixes of an account or of a repository.');
  namespace.addHelpText('after', EXAMPLES);
  addAdd(namespace, shell);
  addList(namespace, shell);
  addRemove(namespace, shell);
}

const subcommand = (namespace: Command, name: string, description: string): Command =>
  addJson(
    addTokenFile(
      namespace
        .command(name)
        .description(description)
        .argument('<store>', STORE)
        .argument('<owner>', 'an account, or account/repository'),
    ),
  );

function addAdd(namespace: Command, shell: Shell): void {
  subcommand(namespace, 'add', 'Declare a prefix, or change its namespace.')
    .argument('<prefix>', 'without the colon')
    .argument('<iri>', 'the namespace')
    .action(async (store: string, owner: string, prefix: string, iri: string, options: Options) => {
      await withNamespaces(store, owner, options, { create: false }, async (namespaces) => {
        await namespaces.set(prefix, iri);
        const added = { prefix, namespace: iri };
        await (options.json === true ? shell.stdout.json(added) : shell.stdout.line(`added ${prefix}`));
      });
    });
}

function addList(namespace: Command, shell: Shell): void {
  subcommand(namespace, 'list', 'List the declared prefixes.').action(
    async (store: string, owner: string, options: Options) => {
      await withNamespaces(store, owner, options, READING, async (namespaces) => {
        for (const [prefix, iri] of Object.entries(await namespaces.list())) {
          await (options.json === true
            ? shell.stdout.json({ prefix, namespace: iri })
            : shell.stdout.line(`${prefix}  ${iri}`));
        }
      });
    },
  );
}

function addRemove(namespace: Command, shell: Shell): void {
  subcommand(namespace, 'remove', 'Remove the declaration of a prefix.')
    .argument('<prefix>', 'without the colon')
    .action(async (store: string, owner: string, prefix: string, options: Options) => {
      await withNamespaces(store, owner, options, { create: false }, async (namespaces) => {
        if (!(await namespaces.delete(prefix))) {
          throw new InvalidArgumentError('INVALID_NAME', `${owner} declares no prefix ${prefix}`);
        }
        const removed = { prefix, removed: true };
        await (options.json === true ? shell.stdout.json(removed) : shell.stdout.line(`removed ${prefix}`));
      });
    });
}

/** The namespaces of an account or a repository, which has to exist. */
async function withNamespaces(
  place: string,
  owner: string,
  { tokenFile }: Options,
  open: Opened,
  run: (namespaces: Omit<Namespaces, 'get'>) => Promise<void>,
): Promise<void> {
  if (isServer(place)) {
    const { ServerNamespaces } = await import('./server-namespaces.js');
    return run(new ServerNamespaces(await requestsTo(place, tokenFile), owner));
  }
  await withDatabase(place, { ...open, ...ALONE }, async (database) => {
    if (owner.includes('/')) return run((await database.repository(owner)).namespaces);
    const { openAccounts, OPERATOR } = await import('@quadrille/server/host');
    return run(await openAccounts(database).administration.namespaces(OPERATOR, owner));
  });
}
