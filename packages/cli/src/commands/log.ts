/** `quadrille log`: the revisions of a repository, the newest first. */
import type { Command } from 'commander';
import { revisionLine } from '../lines.js';
import { addJson, addRepository, given, wholeNumber } from '../options.js';
import { type CommonOptions, type Shell, READING, withRepository } from '../shell.js';

interface Options extends CommonOptions {
  readonly limit?: number;
  readonly before?: string;
}

const EXAMPLES = `
Examples:
  $ quadrille log ./data
  $ quadrille log ./data --limit 10 --before HEAD~10
  $ quadrille log ./data --json | jq -r .message
`;

export function addLog(program: Command, shell: Shell): void {
  const command = program
    .command('log')
    .description('List the revisions, the newest first.')
    .argument('<store>', 'directory of the store')
    .option('-n, --limit <n>', 'at most so many', wholeNumber('--limit', 0))
    .option('--before <ref>', 'only revisions before this one');
  addJson(addRepository(command))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      await withRepository(store, options, READING, async (repository) => {
        const { limit, before } = options;
        for await (const revision of repository.log({ signal: shell.signal, ...given({ limit, before }) })) {
          if (options.json === true) await shell.stdout.json(revision);
          else await shell.stdout.line(revisionLine(revision));
        }
      });
    });
}
