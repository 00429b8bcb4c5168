/** `quadrille branch`: lists, creates, renames and deletes branches. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import type { BranchInfo, Repository } from 'quadrille';
import { revisionLine } from '../lines.js';
import { addJson, addRepository, given } from '../options.js';
import { type CommonOptions, READING, type Shell, warnings, withRepository } from '../shell.js';

interface Options extends CommonOptions {
  readonly from?: string;
  readonly rename?: string;
  readonly delete?: boolean;
  readonly force?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille branch ./data                       the branches and their newest revisions
  $ quadrille branch ./data dev                   begins at the head of main
  $ quadrille branch ./data fix --from v1
  $ quadrille update ./data 'INSERT DATA { <urn:a> <urn:b> "c" }' --branch dev
  $ quadrille branch ./data dev --delete

A branch with revisions that no other branch has is deleted with --force only.
`;

export function addBranchCommand(program: Command, shell: Shell): void {
  const command = program
    .command('branch')
    .description('List, create, rename and delete branches.')
    .argument('<store>', 'directory of the store')
    .argument('[name]', 'the branch; without it all are listed')
    .option('--from <ref>', 'where a new branch begins: a number, a UUID, HEAD~1, a time, a tag or a branch')
    .option('--rename <name>', 'give the branch this name')
    .option('--delete', 'delete the branch')
    .option('--force', 'with --delete: also if no other branch has its revisions');
  addJson(addRepository(command))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, name: string | undefined, options: Options) => {
      const change = changeOf(name, options);
      const open = change === undefined ? READING : ({ create: false, logger: warnings(shell) } as const);
      await withRepository(store, options, open, async (repository) => {
        if (change !== undefined) return tell(shell, await change(repository), options);
        for (const branch of Object.values(await repository.branches.list())) await tell(shell, branch, options);
      });
    });
}

type Change = (repository: Repository) => Promise<BranchInfo | string>;

/** `undefined` where nothing changes. @throws InvalidArgumentError `INVALID_OPTION` */
function changeOf(name: string | undefined, { from, rename, delete: deletes, force }: Options): Change | undefined {
  if ([from, rename, deletes].filter((option) => option !== undefined).length > 1)
    throw new InvalidArgumentError('INVALID_OPTION', 'only one of --from, --rename and --delete is possible');
  if (force === true && deletes !== true)
    throw new InvalidArgumentError('INVALID_OPTION', '--force is only for --delete');
  if (name === undefined) {
    if (from === undefined && rename === undefined && deletes === undefined) return undefined;
    throw new InvalidArgumentError('INVALID_OPTION', 'give the name of the branch');
  }
  if (deletes === true) return (repository) => deleteBranch(repository, name, force === true);
  if (rename === undefined) return ({ branches }) => branches.create(name, given({ from }));
  return async ({ branches }) => {
    await branches.rename(name, rename);
    return `${name} is ${rename} now`;
  };
}

async function deleteBranch(repository: Repository, name: string, force: boolean): Promise<string> {
  if (await repository.branches.delete(name, { force })) return `${name} is deleted`;
  // The error of a branch that is not there.
  await repository.branch(name);
  return '';
}

async function tell(shell: Shell, what: BranchInfo | string, { json }: Options): Promise<void> {
  if (typeof what === 'string') await (json === true ? Promise.resolve() : shell.stdout.line(what));
  else if (json === true) await shell.stdout.json(what);
  else await shell.stdout.line(`${what.name}  ${revisionLine(what.head)}`);
}
