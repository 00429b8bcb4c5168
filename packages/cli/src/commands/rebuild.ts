/** `quadrille rebuild`: the indexes of a repository anew from its log. */
import type { Command } from 'commander';
import { spaceLine } from '../lines.js';
import { addJson, addRepository, DEFAULT_REPOSITORY } from '../options.js';
import { type CommonOptions, type Shell, withDatabase } from '../shell.js';

const EXAMPLES = `
Examples:
  $ quadrille rebuild ./data
  $ quadrille rebuild ./data --repository acme/people --json

The log of revisions and the terms are the truth and are not touched. For a store whose verify tells of an index.
`;

export function addRebuild(program: Command, shell: Shell): void {
  const command = program
    .command('rebuild')
    .description('Rebuild the indexes of a repository from its log.')
    .argument('<store>', 'directory or URL of the store');
  addJson(addRepository(command))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: CommonOptions) => {
      await withDatabase(store, { create: false }, async (database) => {
        const report = await database.rebuild(options.repository ?? DEFAULT_REPOSITORY);
        await (options.json === true ? shell.stdout.json(report) : shell.stdout.line(spaceLine('rebuilt', report)));
      });
    });
}
