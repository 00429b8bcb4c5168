/** `quadrille import-history`: the revisions of a history file into a repository. */
import type { Command } from 'commander';
import type { Backend, Durability, HistoryProgress } from 'quadrille';
import { revisionLine } from '../lines.js';
import { addBranch, addJson, addRepository, backend, durability, given } from '../options.js';
import { ALONE, type CommonOptions, repositoryOf, type Shell, warnings, withDatabase } from '../shell.js';
import { checkReadable } from '../text-input.js';

interface Options extends CommonOptions {
  readonly backend?: Backend;
  readonly durability?: Durability;
  readonly upgrade: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille import-history ./copy history.rdfp.gz
  $ quadrille import-history ./copy history.rdfp --backend lmdb
  $ quadrille export-history ./data | quadrille import-history ./copy -

Appends the revisions of a file of quadrille export-history, with ids, times, authors and messages. The store and the repository
are made where they do not exist. Revisions that the repository has are compared and skipped, so an import that was
interrupted goes on when it is run again. If the file is damaged, its whole revisions before the damage are kept.
`;

export function addImportHistory(program: Command, shell: Shell): void {
  const command = program
    .command('import-history')
    .description('Append the revisions of a history file. Makes the store where there is none.')
    .argument('<store>', 'directory or URL of the store')
    .argument('<file>', 'the file, also gzipped, or - for standard input')
    .option(
      '--no-upgrade',
      'refuse the first write to a store of an earlier format, which would upgrade it permanently',
    )
    .addOption(backend())
    .addOption(durability());
  addJson(addBranch(addRepository(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, file: string, options: Options) => {
      // Before the store is made: a mistyped file name must not leave an empty store.
      if (file !== '-') await checkReadable(file);
      const { backend: name, durability: level, upgrade } = options;
      const open = {
        create: true,
        ...ALONE,
        logger: warnings(shell),
        upgrade,
        ...given({ durability: level, backend: name }),
      };
      await withDatabase(store, open, async (database) => {
        const repository = await repositoryOf(database, options, { create: true });
        let done: HistoryProgress | undefined;
        const onProgress = (progress: HistoryProgress): void => void (done = progress);
        const given = { signal: shell.signal, onProgress };
        const head =
          file === '-'
            ? await repository.sync.importHistory(process.stdin, { ...given, sourceName: 'standard input' })
            : await repository.sync.importHistory(file, given);
        const { imported = 0, skipped = 0 } = done ?? {};
        if (options.json === true) await shell.stdout.json({ imported, skipped, head });
        else await shell.stdout.line(importLine(file, imported, skipped, revisionLine(head)));
      });
    });
}

function importLine(file: string, imported: number, skipped: number, head: string): string {
  const known = skipped === 0 ? '' : `, ${String(skipped)} were there already`;
  return `${file}: ${String(imported)} ${imported === 1 ? 'revision' : 'revisions'} imported${known}; the head is ${head}`;
}
