/** `quadrille patch`: applies RDF Patch, such as `quadrille diff` and `quadrille watch` print it. */
import type { Command } from 'commander';
import type { Durability } from 'quadrille';
import { revisionLine } from '../lines.js';
import { addBranch, addCommit, addJson, addRepository, given } from '../options.js';
import { type CommonOptions, type Shell, warnings, withDatabase, repositoryOf } from '../shell.js';

interface Options extends CommonOptions {
  readonly message?: string;
  readonly author?: string;
  readonly durability?: Durability;
  readonly upgrade: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille patch ./data changes.rdfp
  $ quadrille diff ./data 3 5 | quadrille patch ./copy -

Every row must have an effect: what is added must be absent, and what is deleted present. A patch with "H id" is applied once.
`;

export function addPatch(program: Command, shell: Shell): void {
  const command = program
    .command('patch')
    .description('Apply RDF Patch as a revision.')
    .argument('<store>', 'directory or URL of the store')
    .argument('<file>', 'a file of RDF Patch, also with gzip; - for standard input');
  addJson(addBranch(addRepository(addCommit(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, file: string, options: Options) => {
      const { message, author, durability, upgrade } = options;
      await withDatabase(
        store,
        { create: false, logger: warnings(shell), upgrade, ...given({ durability }) },
        async (database) => {
          const repository = await repositoryOf(database, options);
          const source = file === '-' ? process.stdin : file;
          const revision = await repository.patch(source, { signal: shell.signal, ...given({ message, author }) });
          if (options.json === true) await shell.stdout.json(revision);
          else await shell.stdout.line(revisionLine(revision));
        },
      );
    });
}
