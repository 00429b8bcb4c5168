/** `quadrille clone`: a repository of a server, with its whole history, in a store of this machine. */
import type { Command } from 'commander';
import type { Backend, HistoryProgress } from 'quadrille';
import { revisionLine } from '../lines.js';
import { addJson, backend, given } from '../options.js';
import { addTokenFile, serverToken } from '../server/server-token.js';
import { ALONE, type Shell, warnings, withDatabase } from '../shell.js';
import { counted } from './replication.js';

interface Options {
  readonly repository?: string;
  readonly backend?: Backend;
  readonly tokenFile?: string;
  readonly json?: boolean;
  readonly allBranches?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille clone https://data.example.org/acme/people ./replica
  $ quadrille clone https://data.example.org/acme/people ./replica --repository copies/people --token-file token.txt

The copy has the same revisions, ids, times and numbers. The address is kept as the remote origin: quadrille pull gets later
revisions, and goes on where a clone was interrupted.
`;

export function addClone(program: Command, shell: Shell): void {
  const command = program
    .command('clone')
    .description('Copy a repository of a server with its history. Makes the store where there is none.')
    .argument('<address>', 'of the repository: https://host/account/repository')
    .argument('<store>', 'directory or URL of the store')
    .option('-r, --repository <account/repository>', 'its name in the store (default: that of the address)')
    .option('--all-branches', 'all branches, and not main alone')
    .addOption(backend());
  addJson(addTokenFile(command))
    .addHelpText('after', EXAMPLES)
    .action(async (address: string, store: string, options: Options) => {
      const token = await serverToken(options.tokenFile);
      const open = { create: true, ...ALONE, logger: warnings(shell), ...given({ backend: options.backend }) };
      await withDatabase(store, open, async (database) => {
        let done: HistoryProgress | undefined;
        const repository = await database.clone(options.repository ?? nameIn(address), address, {
          signal: shell.signal,
          onProgress: (progress) => void (done = progress),
          ...given({ token, branches: options.allBranches === true ? ('all' as const) : undefined }),
        });
        const head = await repository.revision();
        const transferred = done?.imported ?? 0;
        if (options.json === true) await shell.stdout.json({ repository: repository.name, transferred, head });
        else
          await shell.stdout.line(
            `${repository.name}: ${counted(transferred)} cloned; the head is ${revisionLine(head)}`,
          );
      });
    });
}

/** The last two parts of the path. */
const nameIn = (address: string): string =>
  (URL.canParse(address) ? new URL(address).pathname : address).split('/').filter(Boolean).slice(-2).join('/');
