/** `quadrille compact`: frees unused space. */
import type { Command } from 'commander';
import { spaceLine } from '../lines.js';
import { addJson, addRepository } from '../options.js';
import { type CommonOptions, type Shell, withStoredRepository } from '../shell.js';

const EXAMPLES = `
Examples:
  $ quadrille compact ./data
  $ quadrille compact ./data --repository acme/people --json

Merges the indexes and drops what nothing uses. Revisions are dropped only if the setting retention says so.
`;

export function addCompact(program: Command, shell: Shell): void {
  const command = program
    .command('compact')
    .description('Merge the indexes of a repository and free disk space.')
    .argument('<store>', 'directory or URL of the store');
  addJson(addRepository(command))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: CommonOptions) => {
      await withStoredRepository(store, options, { create: false }, async (repository) => {
        const report = await repository.maintenance.compact();
        await (options.json === true ? shell.stdout.json(report) : shell.stdout.line(spaceLine('compacted', report)));
      });
    });
}
