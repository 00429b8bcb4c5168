/** `quadrille revert`: a new revision that undoes another one. */
import type { Command } from 'commander';
import { addBranch, addCommit, addJson, addPlace, type CommitOptions, PLACE } from '../options.js';
import { type CommonOptions, type Shell, showRevision, withChange } from '../shell.js';

type Options = CommonOptions & CommitOptions;

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
    .argument('<store>', PLACE)
    .argument('<ref>', 'the revision to undo: a number, a UUID, HEAD, a tag');
  addJson(addBranch(addPlace(addCommit(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, ref: string, options: Options) => {
      await withChange(shell, store, options, {}, async (repository, change) =>
        showRevision(shell, await repository.revert(ref, change), options),
      );
    });
}
