/** `quadrille repository`: a repository as a whole, in the catalogues of stores. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Backend, MoveProgress, MoveReport } from 'quadrille';
import { progressLine } from '../backup/progress-line.js';
import { allFormats } from '../formats.js';
import { bytes } from '../lines.js';
import { addJson, backend, given } from '../options.js';
import { ALONE, type Shell, warnings, withDatabase } from '../shell.js';

const MOVE_EXAMPLES = `
Examples:
  $ quadrille repository move ./data acme/people ./other
  $ quadrille repository move postgres://quadrille@db.example/quadrille acme/people s3://bucket/sky --redirect https://other.example
  $ quadrille repository move ./data acme/people ./other --cancel       acme/people stays, and takes writes again

The repository keeps its revisions with their ids and times, its branches, tags, prefixes, settings, views and rights. Meanwhile it can be
read and takes no writes. Servers of the first store then redirect its clients to --redirect (308), or answer 410. The same command goes on
with a move that was interrupted. Stop the server of a directory before; servers with --advertise may go on, but none may write to the other store.
`;

const FORGET_EXAMPLES = `
Example:
  $ quadrille repository forget ./data acme/people
`;

interface MoveFlags {
  readonly redirect?: string;
  readonly cancel?: boolean;
  readonly force?: boolean;
  readonly backend?: Backend;
  readonly json?: boolean;
}

export function addRepositoryCommand(program: Command, shell: Shell): void {
  const repository = program.command('repository').description('Move a repository to another store.');
  addMove(repository, shell);
  addForget(repository, shell);
}

function addMove(repository: Command, shell: Shell): void {
  const command = repository
    .command('move')
    .description('Move a repository to another store.')
    .argument('<from>', 'directory or URL of the store that has it')
    .argument('<repository>', 'account/repository')
    .argument('<to>', 'directory or URL of the other store, which is made if it is not there')
    .option('--redirect <url>', 'address of a server of the other store, for clients of the first one')
    .option('--cancel', 'end a move that was interrupted, so that the repository stays')
    .option('--force', 'with --cancel: do not look at the other store, because it is lost')
    .addOption(backend());
  addJson(command)
    .addHelpText('after', MOVE_EXAMPLES)
    .action((from: string, name: string, to: string, flags: MoveFlags) => move(shell, from, name, to, flags));
}

async function move(shell: Shell, from: string, name: string, to: string, flags: MoveFlags): Promise<void> {
  const { moveRepository } = await import('quadrille');
  const { carriedRecords } = await import('@quadrille/server/host');
  await allFormats();
  const line = progressLine(shell);
  let left: readonly string[] = [];
  const { json, ...said } = flags;
  const report = await moveRepository(placeOf(from), name, placeOf(to), {
    ...given(said),
    logger: warnings(shell),
    signal: shell.signal,
    onProgress: (progress) => line.show(progressText(progress)),
    async carry(source, target, full) {
      const carried = await carriedRecords(source, target, full);
      ({ left } = carried);
      return carried;
    },
  }).finally(() => line.end());
  if (json === true) return shell.stdout.json({ ...report, redirect: report.redirect ?? null, left });
  await shell.stdout.line(reportText(report));
  if (left.length > 0)
    await shell.stdout.line(`These collaborators have no account there: ${left.join(', ')}. Add them anew.`);
}

/** Messages name a directory as everybody finds it. */
const placeOf = (place: string): string => (/^[a-z][a-z\d+.-]+:/i.test(place) ? place : resolve(place));

const progressText = ({ step, bytes: size }: MoveProgress): string =>
  step === 'copying' ? `${bytes(size)} copied` : step;

function reportText({ outcome, repository, to, redirect, bytes: size }: MoveReport): string {
  if (outcome === 'cancelled') return `${repository} stays, and takes writes`;
  const where = redirect === undefined ? '' : `; clients are redirected to ${redirect}/${repository}`;
  if (outcome === 'already') return `${repository} is at ${to} already${where}`;
  return `${repository} has moved to ${to}, ${bytes(size)}${where}`;
}

function addForget(repository: Command, shell: Shell): void {
  const command = repository
    .command('forget')
    .description('Forget that a repository has moved, so that its name is free in the store that it has left.')
    .argument('<store>', 'directory or URL of the store that it has left')
    .argument('<repository>', 'account/repository');
  addJson(command)
    .addHelpText('after', FORGET_EXAMPLES)
    .action(async (store: string, name: string, { json }: { readonly json?: boolean }) => {
      const { forgetMoved } = await import('./forget-moved.js');
      await withDatabase(store, { create: false, ...ALONE, logger: warnings(shell) }, (database) =>
        forgetMoved(database, name),
      );
      await (json === true
        ? shell.stdout.json({ repository: name, forgotten: true })
        : shell.stdout.line(`forgot ${name}`));
    });
}
