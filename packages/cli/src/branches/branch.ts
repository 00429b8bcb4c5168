/** `quadrille branch`: lists, creates, renames and deletes branches. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import type { BranchInfo, Repository } from 'quadrille';
import { revisionLine } from '../lines.js';
import { addJson, addPlace, given, PLACE } from '../options.js';
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
  $ quadrille branch https://data.example.org/acme/people dev

A branch with revisions that no other branch has is deleted with --force only.
`;

export function addBranchCommand(program: Command, shell: Shell): void {
  const command = program
    .command('branch')
    .description('List, create, rename and delete branches.')
    .argument('<store>', PLACE)
    .argument('[name]', 'the branch; without it all are listed')
    .option('--from <ref>', 'where a new branch begins: a number, a UUID, HEAD~1, a time, a tag or a branch')
    .option('--rename <name>', 'give the branch this name')
    .option('--delete', 'delete the branch')
    .option('--force', 'with --delete: also if no other branch has its revisions');
  addJson(addPlace(command))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, name: string | undefined, options: Options) => {
      const change = changeOf(name, options);
      const open = change === undefined ? READING : ({ create: false, logger: warnings(shell) } as const);
      await withRepository(store, options, open, async (repository) => {
        if (change !== undefined) return tell(shell, await changed(repository, change), options);
        for (const branch of await repository.branches.list().toArray()) await tell(shell, branch, options);
      });
    });
}

interface BranchChange {
  readonly name: string;
  readonly what: 'create' | 'rename' | 'delete';
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly force: boolean;
}

/** `undefined` where nothing changes. @throws InvalidArgumentError `INVALID_OPTION` */
function changeOf(name: string | undefined, options: Options): BranchChange | undefined {
  const { from, rename: to, delete: deletes, force = false } = options;
  if ([from, to, deletes].filter((option) => option !== undefined).length > 1)
    throw new InvalidArgumentError('INVALID_OPTION', 'only one of --from, --rename and --delete is possible');
  if (force && deletes !== true) throw new InvalidArgumentError('INVALID_OPTION', '--force is only for --delete');
  const what = deletes === true ? 'delete' : to === undefined ? 'create' : 'rename';
  if (name !== undefined) return { name, what, from, to, force };
  if (from === undefined && what === 'create') return undefined;
  throw new InvalidArgumentError('INVALID_OPTION', 'give the name of the branch');
}

async function changed(
  repository: Repository,
  { name, what, from, to, force }: BranchChange,
): Promise<BranchInfo | string> {
  const { branches } = repository;
  if (what === 'create') return branches.create(name, given({ from }));
  if (what === 'delete') return deleteBranch(repository, name, force);
  await branches.rename(name, to!);
  return `${name} is ${to!} now`;
}

async function deleteBranch(repository: Repository, name: string, force: boolean): Promise<string> {
  if (await repository.branches.delete(name, { force })) return `${name} is deleted`;
  // The error of a branch that is not there.
  await repository.branches.open(name);
  return '';
}

async function tell(shell: Shell, what: BranchInfo | string, { json }: Options): Promise<void> {
  if (typeof what === 'string') await (json === true ? Promise.resolve() : shell.stdout.line(what));
  else if (json === true) await shell.stdout.json(what);
  else await shell.stdout.line(`${what.name}  ${revisionLine(what.head)}`);
}
