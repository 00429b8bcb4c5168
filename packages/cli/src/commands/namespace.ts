/** `quadrille namespace`: the prefixes of an account, which all its repositories have, and those of one repository. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import type { Namespaces } from 'quadrille';
import { addJson } from '../options.js';
import { type Shell, withDatabase } from '../shell.js';

const EXAMPLES = `
Examples:
  $ quadrille namespace add ./data acme ex http://example.org/ns#
  $ quadrille namespace list ./data acme
  $ quadrille namespace remove ./data acme/people ex

Queries and updates need not declare these prefixes, and documents are written with them. Those of a repository beat those of its
account; PREFIX in a text beats both. A store that is being served is held by its server: stop it first.
`;

interface JsonOption {
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
    namespace
      .command(name)
      .description(description)
      .argument('<store>', 'directory of the store')
      .argument('<owner>', 'an account, or account/repository'),
  );

function addAdd(namespace: Command, shell: Shell): void {
  subcommand(namespace, 'add', 'Declare a prefix, or give it another namespace.')
    .argument('<prefix>', 'without the colon')
    .argument('<iri>', 'the namespace')
    .action(async (store: string, owner: string, prefix: string, iri: string, { json }: JsonOption) => {
      await withNamespaces(store, owner, async (namespaces) => {
        await namespaces.set(prefix, iri);
        await (json === true ? shell.stdout.json({ prefix, namespace: iri }) : shell.stdout.line(`added ${prefix}`));
      });
    });
}

function addList(namespace: Command, shell: Shell): void {
  subcommand(namespace, 'list', 'List the prefixes that are declared there.').action(
    async (store: string, owner: string, { json }: JsonOption) => {
      await withNamespaces(store, owner, async (namespaces) => {
        for (const [prefix, iri] of Object.entries(await namespaces.list())) {
          await (json === true
            ? shell.stdout.json({ prefix, namespace: iri })
            : shell.stdout.line(`${prefix}  ${iri}`));
        }
      });
    },
  );
}

function addRemove(namespace: Command, shell: Shell): void {
  subcommand(namespace, 'remove', 'Take back a declaration.')
    .argument('<prefix>', 'without the colon')
    .action(async (store: string, owner: string, prefix: string, { json }: JsonOption) => {
      await withNamespaces(store, owner, async (namespaces) => {
        if (!(await namespaces.delete(prefix))) {
          throw new InvalidArgumentError('INVALID_NAME', `${owner} declares no prefix ${prefix}`);
        }
        await (json === true ? shell.stdout.json({ prefix, removed: true }) : shell.stdout.line(`removed ${prefix}`));
      });
    });
}

/** The namespaces of an account or a repository, which has to exist. */
function withNamespaces(store: string, owner: string, run: (namespaces: Namespaces) => Promise<void>): Promise<void> {
  return withDatabase(store, { create: false }, async (database) => {
    if (owner.includes('/')) return run((await database.repository(owner)).namespaces);
    const { openAccounts } = await import('@quadrille/service');
    const { name } = await openAccounts(database).accounts.need(owner);
    return run(database.account(name).namespaces);
  });
}
