/** `quadrille revert`: a new revision that undoes another one. */
import type { Command } from 'commander';
import type { Durability } from 'quadrille';
import { revisionLine } from '../lines.js';
import { addBranch, addCommit, addJson, addRepository, given } from '../options.js';
import { type CommonOptions, type Shell, warnings, withDatabase, repositoryOf } from '../shell.js';

interface Options extends CommonOptions {
  readonly message?: string;
  readonly author?: string;
  readonly durability?: Durability;
  readonly upgrade: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille revert ./data HEAD
  $ quadrille revert ./data 12 -m 'the import of May was wrong'

Nothing is erased: the revision that is undone stays in the log, and later changes stay in force.
`;

export function addRevert(program: Command, shell: Shell): void {
  const command = program
    .command('revert')
    .description('Undo one revision by a new one.')
    .argument('<store>', 'directory or URL of the store')
    .argument('<ref>', 'the revision to undo: a number, a UUID, HEAD, a tag');
  addJson(addBranch(addRepository(addCommit(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, ref: string, options: Options) => {
      const { message, author, durability, upgrade } = options;
      await withDatabase(
        store,
        { create: false, logger: warnings(shell), upgrade, ...given({ durability }) },
        async (database) => {
          const repository = await repositoryOf(database, options);
          const revision = await repository.revert(ref, { signal: shell.signal, ...given({ message, author }) });
          if (options.json === true) await shell.stdout.json(revision);
          else await shell.stdout.line(revisionLine(revision));
        },
      );
    });
}
