/** `quadrille export-history`: the history of a repository as a file. */
import type { Command } from 'commander';
import { addBranch, addJson, addRepository, given } from '../options.js';
import { writeFileAtomically } from '../output-file.js';
import { type CommonOptions, READING, type Shell, withStoredRepository } from '../shell.js';

interface Options extends CommonOptions {
  readonly since?: string;
  readonly to?: string;
  readonly output?: string;
  readonly allBranches?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille export-history ./data -o history.rdfp.gz
  $ quadrille export-history ./data --since v1 > since-v1.rdfp
  $ quadrille export-history ./data --all-branches -o all.rdfp.gz
  $ quadrille export-history ./data | quadrille import-history ./copy -

Writes every revision as a transaction of RDF Patch, with its id, time, author and message, then the prefixes and tags of the
repository. A chain of SHA-256 values shows whether the file was changed or cut. A file appears under its name when it is complete.
`;

export function addExportHistory(program: Command, shell: Shell): void {
  const command = program
    .command('export-history')
    .description('Write the whole history of a repository to a file.')
    .argument('<store>', 'directory or URL of the store')
    .option('--since <ref>', 'begin after this revision (default: with the first one)')
    .option('--to <ref>', 'the last revision (default: HEAD)')
    .option('--all-branches', 'export main, and the revisions of every other branch that main does not have')
    .option('-o, --output <file>', 'write to this file; compressed if its name ends with .gz');
  addJson(addBranch(addRepository(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      const { since, to, output } = options;
      const branches = options.allBranches === true ? 'all' : undefined;
      await withStoredRepository(store, options, READING, async (repository) => {
        const text = repository.sync.exportHistory({ signal: shell.signal, ...given({ since, to, branches }) });
        if (output === undefined) return shell.stdout.writeAll(text);
        const bytes = await writeFileAtomically(output, text);
        if (options.json === true) await shell.stdout.json({ file: output, bytes });
      });
    });
}
