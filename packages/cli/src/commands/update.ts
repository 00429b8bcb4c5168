/** `quadrille update`: a SPARQL update, as one revision. */
import type { Command } from 'commander';
import type { Durability, UpdateOptions } from 'quadrille';
import { addContexts, addHosts, contextFiles, federationOf } from '../documents/json-ld-contexts.js';
import type { ContextOptions } from '../documents/json-ld-contexts.js';
import { revisionLine } from '../lines.js';
import { addBranch, addCommit, addJson, addRepository, given, seconds } from '../options.js';
import { type CommonOptions, type Shell, warnings, withDatabase, repositoryOf } from '../shell.js';
import { sparqlInput } from '../text-input.js';

interface Options extends CommonOptions, ContextOptions {
  readonly file?: string;
  readonly timeout?: number;
  readonly message?: string;
  readonly author?: string;
  readonly durability?: Durability;
  readonly upgrade: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille update ./data 'INSERT DATA { <urn:carol> foaf:name "Carol" }' -m 'add Carol' --author jo
  $ quadrille update ./data --file cleanup.ru
  $ quadrille update ./data 'DELETE WHERE { ?s foaf:age ?age }' --json

All operations of one text are one revision, or none where one of them fails. The store and the repository must exist.
`;

export function addUpdate(program: Command, shell: Shell): void {
  const command = program
    .command('update')
    .description('Run a SPARQL update as one revision.')
    .argument('<store>', 'directory or URL of the store')
    .argument('[update]', 'the text of the request, or - for standard input')
    .option('--file <path>', 'read the text from this file')
    .option('--timeout <seconds>', 'time limit, in seconds', seconds('--timeout'));
  addHosts(addContexts(command), 'LOAD');
  addJson(addBranch(addRepository(addCommit(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, argument: string | undefined, options: Options) => {
      const text = await sparqlInput(argument, options.file);
      const { timeout: timeoutMs, message, author, durability, upgrade } = options;
      await withDatabase(
        store,
        {
          create: false,
          logger: warnings(shell),
          upgrade,
          federation: federationOf(text, 'LOAD', options),
          contexts: await contextFiles(options),
          ...given({ durability }),
        },
        async (database) => {
          const repository = await repositoryOf(database, options);
          const updateOptions: UpdateOptions = { signal: shell.signal, ...given({ timeoutMs, message, author }) };
          const before = await repository.revision();
          const revision = await repository.update(text, updateOptions);
          if (options.json === true) await shell.stdout.json(revision);
          else {
            const note = revision.id === before.id ? 'nothing changed, still ' : '';
            await shell.stdout.line(note + revisionLine(revision));
          }
        },
      );
    });
}
