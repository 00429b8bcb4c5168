/** `quadrille pull` and `quadrille push`: revisions that one of two copies lacks. */
import type { Command } from 'commander';
import { revisionLine } from '../lines.js';
import { addBranch, addJson, addRepository, given } from '../options.js';
import { addTokenFile, serverToken } from '../server/server-token.js';
import { type CommonOptions, type Shell, warnings, withStoredRepository } from '../shell.js';

interface Options extends CommonOptions {
  readonly tokenFile?: string;
  readonly merge?: boolean;
  readonly allBranches?: boolean;
}

const DIRECTIONS = {
  pull: {
    description: 'Get the revisions that another copy has after the head.',
    done: 'pulled',
    example: 'https://data.example.org/acme/people',
  },
  push: {
    description: 'Send the revisions after the head of another copy to it.',
    done: 'pushed',
    example: 'backup --token-file token.txt',
  },
} as const;

const examples = (name: keyof typeof DIRECTIONS): string => `
Examples:
  $ quadrille ${name} ./data --repository acme/people
  $ quadrille ${name} ./data ${DIRECTIONS[name].example}

The other copy is a remote of the repository (quadrille remote), or the address of a repository at a server. If both copies
have revisions of their own, nothing is changed, and the code is HISTORY_DIVERGED. A pull with --merge puts those of the other
copy on the branch remote/NAME, and merges it. To push, the token needs the rights write and replicate. With --branch it is about
the branch of that name of both copies.
`;

export const addPull = (program: Command, shell: Shell): void => addDirection('pull', program, shell);
export const addPush = (program: Command, shell: Shell): void => addDirection('push', program, shell);

function addDirection(name: keyof typeof DIRECTIONS, program: Command, shell: Shell): void {
  const { description, done } = DIRECTIONS[name];
  const command = program
    .command(name)
    .description(description)
    .argument('<store>', 'directory or URL of the store')
    .argument('[remote]', 'name of a remote, or an address', 'origin');
  if (name === 'pull')
    command
      .option('--merge', 'if both have revisions of their own: merge those of the other copy')
      .option('--all-branches', 'all branches of the other copy, whose whole history is sent again');
  addJson(addTokenFile(addBranch(addRepository(command))))
    .addHelpText('after', examples(name))
    .action(async (store: string, remote: string, options: Options) => {
      const token = await serverToken(options.tokenFile);
      const branches = options.allBranches === true ? 'all' : undefined;
      await withStoredRepository(store, options, { create: false, logger: warnings(shell) }, async (repository) => {
        const report = await repository.sync[name](remote, {
          signal: shell.signal,
          ...given({ token, merge: options.merge, branches }),
        });
        const { transferred, revision } = report;
        if (options.json === true) await shell.stdout.json(report);
        else if (transferred === 0)
          await shell.stdout.line(`nothing to ${name}; the head is ${revisionLine(revision)}`);
        else await shell.stdout.line(`${counted(transferred)} ${done}; the head is ${revisionLine(revision)}`);
      });
    });
}

export const counted = (revisions: number): string =>
  `${String(revisions)} ${revisions === 1 ? 'revision' : 'revisions'}`;
