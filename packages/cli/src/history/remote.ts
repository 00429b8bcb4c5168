/** `quadrille remote`: names for addresses of other copies. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import { addJson, addRepository } from '../options.js';
import { type CommonOptions, READING, type Shell, warnings, withStoredRepository } from '../shell.js';

interface Options extends CommonOptions {
  readonly delete?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille remote ./data                                                   list them
  $ quadrille remote ./data backup https://data.example.org/acme/people      set one
  $ quadrille remote ./data backup --delete
`;

export function addRemote(program: Command, shell: Shell): void {
  const command = program
    .command('remote')
    .description('List, set and delete the remotes of a repository: names for addresses of other copies.')
    .argument('<store>', 'directory or URL of the store')
    .argument('[name]', 'the remote')
    .argument('[address]', 'https://host/account/repository')
    .option('--delete', 'delete the remote');
  addJson(addRepository(command))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, name: string | undefined, address: string | undefined, options: Options) => {
      const isDelete = options.delete === true;
      if (isDelete ? name === undefined || address !== undefined : (name === undefined) !== (address === undefined))
        throw new InvalidArgumentError(
          'INVALID_OPTION',
          'give a name with its address, a name with --delete, or neither',
        );
      if (name === undefined) return list(store, options, shell);
      await withStoredRepository(
        store,
        options,
        { create: false, logger: warnings(shell) },
        async ({ sync: { remotes } }) => {
          if (address !== undefined) return remotes.set(name, { url: address });
          if (await remotes.delete(name)) return undefined;
          throw new InvalidArgumentError('INVALID_OPTION', `there is no remote ${name}`);
        },
      );
    });
}

const list = (store: string, options: Options, shell: Shell): Promise<void> =>
  withStoredRepository(store, options, READING, async ({ sync: { remotes } }) => {
    const all = await remotes.list().toArray();
    if (options.json === true) await shell.stdout.json(Object.fromEntries(all.map(({ name, url }) => [name, { url }])));
    else for (const { name, url } of all) await shell.stdout.line(`${name}  ${url}`);
  });
