/** `quadrille erase`: erases a term from all revisions. */
import type { Command } from 'commander';
import type { EraseOptions, EraseReport } from 'quadrille';
import { placeOf, type PlaceOptions } from '../accounts/place.js';
import { heldByServer } from '../accounts/with-administrator.js';
import { addJson, addRepository, given, termOf } from '../options.js';
import { addServer, askJson, serverPath } from '../server/ask-server.js';
import { type CommonOptions, type Shell, withRepository } from '../shell.js';

interface Options extends CommonOptions, PlaceOptions {
  readonly term: string;
  readonly reason: string;
  readonly author?: string;
}

const EXAMPLES = `
Examples:
  $ quadrille erase ./data --term 'http://example.org/ann' --reason 'Request 17'
  $ quadrille erase --server https://data.example.org -r acme/people --term '"Ann"@en' --reason 'Request 17'

All quads that have the term at any place go, from every revision of every branch. This cannot be undone.
`;

export function addErase(program: Command, shell: Shell): void {
  const command = program
    .command('erase')
    .description('Erase a term from every revision of every branch.')
    .argument('[store]', 'directory of the store; omit it with --server')
    .requiredOption('--term <term>', 'the term in N-Triples syntax, or an IRI')
    .requiredOption('--reason <text>', 'why; it must not repeat what is erased')
    .option('--author <name>', 'author of the revisions that it makes');
  addJson(addServer(addRepository(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string | undefined, options: Options) => {
      const report = await erased(store, options, shell.signal);
      if (options.json === true) return shell.stdout.json(report);
      const { quads, terms, revisions, branches, copies } = report;
      const counts = `erased ${String(quads)} quads and ${String(terms)} terms from ${String(revisions)} revisions of ${String(branches)} branches`;
      for (const line of [counts, ...copies]) await shell.stdout.line(line);
    });
}

async function erased(store: string | undefined, options: Options, signal: AbortSignal): Promise<EraseReport> {
  const { term, reason, author } = options;
  const { place } = placeOf([store], 0, options);
  if ('server' in place) {
    const path = serverPath(...options.repository.split('/'), 'erase');
    return askJson<EraseReport>(place, { method: 'POST', path, json: { term, reason } });
  }
  const parsed = await termOf('--term', term, 'NamedNode', 'BlankNode', 'Literal', 'Quad');
  const target = { term: parsed! };
  return withRepository(place.store, options, { create: false }, (repository) =>
    repository.erase(target, given({ reason, author, signal }) as EraseOptions),
  ).catch(heldByServer);
}
