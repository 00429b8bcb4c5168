/** `quadrille trim`: removes old revisions. */
import type { Command } from 'commander';
import type { TrimOptions, TrimReport } from 'quadrille';
import { addBranch, addJson, addPlace, PLACE, given, wholeNumber } from '../options.js';
import { refuseLocal } from '../server/server-place.js';
import { type CommonOptions, type Shell, withRepository } from '../shell.js';

interface Options extends CommonOptions, Pick<TrimOptions, 'last' | 'perDay' | 'author'> {
  readonly from?: string;
  readonly mode?: 'project-history' | 'delete-history';
  readonly dryRun?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille trim ./data --last 100 --dry-run          tells what would be removed
  $ quadrille trim ./data --from 2026-01-01
  $ quadrille trim ./data --last 1000 --per-day 1       keeps the newest 1,000, and the last one of each day
  $ quadrille trim https://data.example.org/acme/people --from v1

A revision stays if one of the options says so. The head, beginnings of branches, merges, what was merged, and tagged
revisions stay in any case. What stays has the same content as before.
`;

export function addTrim(program: Command, shell: Shell): void {
  const command = program
    .command('trim')
    .description('Remove old revisions of a branch.')
    .argument('<store>', PLACE)
    .option('--from <ref>', 'the first revision that stays: a number, a UUID, a time, a tag or a branch')
    .option('--last <count>', 'number of the newest revisions to keep', wholeNumber('--last', 1))
    .option('--per-day <count>', 'number of the last revisions of each day (UTC) to keep', wholeNumber('--per-day', 1))
    .option('--mode <mode>', 'project-history (default), or delete-history: also remove the quads from before')
    .option('--author <name>', 'author of the revision that --mode delete-history makes')
    .option('--dry-run', 'only tell what would be removed');
  addJson(addBranch(addPlace(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      const report = await trimmed(store, options, shell.signal);
      if (options.json === true) await shell.stdout.json(report);
      else await shell.stdout.line(lineOf(report, options.dryRun === true));
    });
}

function trimmed(place: string, options: Options, signal: AbortSignal): Promise<TrimReport> {
  const { from, last, perDay, mode, author, dryRun } = options;
  refuseLocal(place, { author });
  return withRepository(place, options, { create: false }, (repository) =>
    repository.maintenance.trim(given({ from, last, perDay, mode, author, dryRun, signal })),
  );
}

function lineOf({ trimmed, kept, bytesFreed }: TrimReport, dryRun: boolean): string {
  const verb = dryRun ? 'would remove' : 'removed';
  return `${verb} ${String(trimmed)} revisions, kept ${String(kept)}; about ${String(bytesFreed)} bytes`;
}
