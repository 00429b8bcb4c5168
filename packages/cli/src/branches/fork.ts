/** `quadrille fork`: copies a repository with its history under another name. */
import type { Command } from 'commander';
import { revisionLine } from '../lines.js';
import { addJson, given } from '../options.js';
import { type Shell, warnings, withDatabase } from '../shell.js';

interface Options {
  readonly at?: string;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille fork ./data people people-copy
  $ quadrille fork ./data acme/people kim/people --at v1

The copy has all revisions, branches, tags, prefixes and settings, with the same ids, times and numbers. It shares nothing with the
source. A branch (quadrille branch) costs no space. With --at, main of the copy ends with that revision.
`;

export function addFork(program: Command, shell: Shell): void {
  const command = program
    .command('fork')
    .description('Copy a repository with its history under another name.')
    .argument('<store>', 'directory or URL of the store')
    .argument('<source>', 'the repository: account/repository, or a name in the account default')
    .argument('<target>', 'the name of the copy')
    .option('--at <ref>', 'the last revision of the copy: a number, a UUID, HEAD~1, a time, a tag or a branch');
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, source: string, target: string, { at, json }: Options) => {
      const open = { create: false, logger: warnings(shell) } as const;
      await withDatabase(store, open, async (database) => {
        const repository = await database.fork(source, target, { signal: shell.signal, ...given({ at }) });
        const head = await repository.revision();
        if (json === true) await shell.stdout.json({ repository: repository.name, head });
        else await shell.stdout.line(`${repository.name}: ${revisionLine(head)}`);
      });
    });
}
