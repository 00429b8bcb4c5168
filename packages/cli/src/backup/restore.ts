/** `quadrille restore`: makes a store of a backup. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import type { Backend } from 'quadrille';
import { bytes } from '../lines.js';
import { addJson, backend } from '../options.js';
import type { Shell } from '../shell.js';
import { progressLine } from './progress-line.js';

interface Options {
  readonly to?: string;
  readonly repository?: string;
  readonly backend?: Backend;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille restore ./backup ./data
  $ quadrille restore ./backup ./yesterday --to 2026-11-20T18:00:00Z
  $ quadrille restore ./backup postgres://quadrille@db.example/quadrille
  $ quadrille restore backup.tar ./data --repository acme/people --to HEAD~3 --backend lmdb

The store must not exist; it appears when everything was right. --to is a time, which holds for all repositories and leaves out those that
did not exist, or any revision where the backup has one repository or --repository names one. The store is a new one: back it up to
another place than the old one.
`;

export function addRestore(program: Command, shell: Shell): void {
  const command = program
    .command('restore')
    .description('Create a store from a backup, optionally set back to an earlier revision.')
    .argument('<backup>', 'directory of the backup, or its .tar file')
    .argument('<store>', 'directory of the new store, or the URL of a database or bucket')
    .option('--to <ref>', 'set back to this time or revision')
    .option('-r, --repository <account/repository>', 'which repository --to sets back')
    .addOption(backend());
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action(async (source: string, store: string, options: Options) => {
      const { to, repository, json } = options;
      if (repository !== undefined && to === undefined)
        throw new InvalidArgumentError('INVALID_OPTION', '--repository needs --to');
      const { restore } = await import('quadrille');
      const line = progressLine(shell);
      const report = await restore(source, store, {
        ...(to !== undefined && { to: repository === undefined ? to : { [repository]: to } }),
        ...(options.backend !== undefined && { backend: options.backend }),
        signal: shell.signal,
        onProgress: ({ bytesRead }) => line.show(`${bytes(bytesRead)} read`),
      }).finally(() => line.end());
      if (json === true) await shell.stdout.json(report);
      else {
        const omitted = report.omitted.map((name) => `  ${name} did not exist then\n`);
        await shell.stdout.write(`${report.location} is restored\n${omitted.join('')}`);
      }
    });
}
