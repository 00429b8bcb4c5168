/** `quadrille update`: a SPARQL update, as one revision. */
import type { Command } from 'commander';
import { addContexts, addHosts, contextFiles, federationOf } from '../documents/json-ld-contexts.js';
import type { ContextOptions } from '../documents/json-ld-contexts.js';
import { addBranch, addCommit, addJson, addPlace, type CommitOptions, given, PLACE, seconds } from '../options.js';
import { refuseLocal } from '../server/server-place.js';
import { type CommonOptions, type Shell, showPreview, showRevision, withChange } from '../shell.js';
import { sparqlInput } from '../text-input.js';

interface Options extends CommonOptions, CommitOptions, ContextOptions {
  readonly file?: string;
  readonly timeout?: number;
  readonly dryRun?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille update ./data 'INSERT DATA { <urn:carol> foaf:name "Carol" }' -m 'add Carol' --author jo
  $ quadrille update ./data --file cleanup.ru --dry-run
  $ quadrille update ./data 'DELETE WHERE { ?s foaf:age ?age }' --json
  $ quadrille update ./data --file sent.ru --safe       of a text that somebody has sent: LOAD reaches nothing

All operations of one text are one revision, or none where one of them fails. The store and the repository must exist.
`;

export function addUpdate(program: Command, shell: Shell): void {
  const command = program
    .command('update')
    .description('Run a SPARQL update as one revision.')
    .argument('<store>', PLACE)
    .argument('[update]', 'the text of the request, or - for standard input')
    .option('--file <path>', 'read the text from this file')
    .option('--timeout <seconds>', 'time limit, in seconds', seconds('--timeout'))
    .option('--dry-run', 'only tell how many quads it would add and remove');
  addHosts(addContexts(command), 'LOAD', 'files and other hosts that the update names');
  addJson(addBranch(addPlace(addCommit(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, argument: string | undefined, options: Options) => {
      const text = await sparqlInput(argument, options.file);
      const { timeout: timeoutMs, fetch, allow, safe, context, dryRun } = options;
      refuseLocal(store, { fetch, allow, safe, context });
      const open = { federation: federationOf(text, 'LOAD', options), contexts: await contextFiles(options) };
      await withChange(shell, store, options, open, async (repository, change) => {
        const how = { ...change, ...given({ timeoutMs }) };
        if (dryRun === true) return showPreview(shell, await repository.update(text, { ...how, dryRun }), options);
        const before = await repository.revision();
        const revision = await repository.update(text, how);
        if (revision.id === before.id && options.json !== true) await shell.stdout.write('nothing changed, still ');
        await showRevision(shell, revision, options);
      });
    });
}
