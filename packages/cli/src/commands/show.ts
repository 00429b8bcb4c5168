/** `quadrille show`: one revision with its changes. */
import type { Command } from 'commander';
import { changeLines, revisionLine, changesOf } from '../lines.js';
import { PLACE, addBranch, addJson, addPlace } from '../options.js';
import { type CommonOptions, type Shell, READING, withRepository } from '../shell.js';

const EXAMPLES = `
Examples:
  $ quadrille show ./data                        the newest revision
  $ quadrille show ./data v1~2                   two revisions before the tag v1
  $ quadrille show ./data @{2026-11-20} --json

Prints the revision as quadrille log does, and its changes as RDF Patch: a line A for every quad added and D for every quad removed.
`;

export function addShow(program: Command, shell: Shell): void {
  const command = program
    .command('show')
    .description('Print a revision and its changes.')
    .argument('<store>', PLACE)
    .argument('[ref]', 'a revision: a number, a UUID, HEAD~1, a time, a tag or a branch', 'HEAD');
  addJson(addBranch(addPlace(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, ref: string, options: CommonOptions) => {
      await withRepository(store, options, READING, async (repository) => {
        const revision = await repository.at(ref).revision();
        if (options.json === true) await shell.stdout.json(revision);
        else await shell.stdout.line(revisionLine(revision));
        const changes = changesOf(repository, revision, shell.signal);
        await shell.stdout.writeAll(changeLines(changes, options.json === true));
      });
    });
}
