/** `quadrille erase`: erases a term, the quads of a pattern, or single quads from all revisions. */
import { InvalidArgumentError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { Command } from 'commander';
import type { EraseOptions, EraseReport, EraseTarget, QuadPattern } from 'quadrille';
import { text as readAll } from 'node:stream/consumers';
import { placeOf, type PlaceOptions } from '../accounts/place.js';
import { heldByServer } from '../accounts/with-administrator.js';
import { addJson, addPattern, addRepository, given, patternOf, type PatternOptions, termOf } from '../options.js';
import { addServer, askJson, serverPath } from '../server/ask-server.js';
import { type CommonOptions, type Shell, withRepository } from '../shell.js';
import { readInput } from '../text-input.js';

interface Options extends CommonOptions, PlaceOptions, PatternOptions {
  readonly term?: string;
  readonly quads?: string;
  readonly reason: string;
  readonly author?: string;
  readonly dryRun?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille erase ./data --term 'http://example.org/ann' --reason 'Request 17'
  $ quadrille erase ./data --subject 'http://example.org/ann' --predicate 'http://example.org/email' --reason 'Request 18'
  $ quadrille erase ./data --quads wrong.nq --reason 'Loaded by mistake'
  $ quadrille erase --server https://data.example.org -r acme/people --term '"Ann"@en' --reason 'Request 17'

All quads that have the term at any place go, or all that match the pattern, or those of the file. They go from every
revision of every branch. This cannot be undone.
`;

export function addErase(program: Command, shell: Shell): void {
  const command = program
    .command('erase')
    .description('Erase a term, the quads of a pattern, or single quads from every revision of every branch.')
    .argument('[store]', 'directory or URL of the store; omit it with --server')
    .option('--term <term>', 'the term in N-Triples syntax, or an IRI')
    .option('--quads <file>', 'N-Quads file of the quads; - for standard input. Labels of blank nodes are as stored')
    .requiredOption('--reason <text>', 'why; it must not repeat what is erased')
    .option('--author <name>', 'author of the revisions that it makes')
    .option('--dry-run', 'only count what would be erased');
  addPattern(command);
  addJson(addServer(addRepository(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string | undefined, options: Options) => {
      const report = await erased(store, options, shell.signal);
      if (options.json === true) return shell.stdout.json(report);
      const { quads, terms, revisions, branches, copies } = report;
      if (options.dryRun === true)
        return shell.stdout.line(
          `would erase ${String(quads)} quads from ${String(revisions)} revisions of ${String(branches)} branches`,
        );
      const counts = `erased ${String(quads)} quads and ${String(terms)} terms from ${String(revisions)} revisions of ${String(branches)} branches`;
      for (const line of [counts, ...copies]) await shell.stdout.line(line);
    });
}

async function erased(store: string | undefined, options: Options, signal: AbortSignal): Promise<EraseReport> {
  const { reason, author, dryRun } = options;
  const { place } = placeOf([store], 0, options);
  const { target, sent } = await targetOf(options);
  if ('server' in place) {
    const path = serverPath(...options.repository.split('/'), 'erase');
    return askJson<EraseReport>(place, { method: 'POST', path, json: { ...sent, ...given({ reason, dryRun }) } });
  }
  return withRepository(place.store, options, { create: false }, (repository) =>
    repository.maintenance.erase(target, given({ reason, author, dryRun, signal }) as EraseOptions),
  ).catch(heldByServer);
}

/** What is erased, for the library and as a server takes it. */
interface Target {
  readonly target: EraseTarget;
  readonly sent: object;
}

/** @throws InvalidArgumentError `INVALID_OPTION` unless one of the three ways is used */
async function targetOf(options: Options): Promise<Target> {
  const { term, quads, subject, predicate, object, graph } = options;
  const pattern = given({ subject, predicate, object, graph });
  const hasPattern = Object.keys(pattern).length > 0;
  if ([term !== undefined, quads !== undefined, hasPattern].filter(Boolean).length !== 1)
    throw usage('say what is erased: --term, --quads, or at least one of --subject, --predicate, --object and --graph');
  if (hasPattern) return { target: { pattern: given(await patternOf(options)) as QuadPattern }, sent: { pattern } };
  if (quads !== undefined) return quadsOf(quads);
  const parsed = await termOf('--term', term, 'NamedNode', 'BlankNode', 'Literal', 'Quad');
  return { target: { term: parsed! }, sent: { term } };
}

async function quadsOf(file: string): Promise<Target> {
  const { parseQuads } = await import('@quadrille/formats');
  const text = file === '-' ? await readAll(process.stdin) : await readInput(file);
  const quads: RDF.Quad[] = [];
  for await (const quad of parseQuads(text, { format: 'application/n-quads', source: file })) quads.push(quad);
  if (quads.length === 0) throw usage(`--quads ${file} has no quad`);
  return { target: { quads }, sent: { quads: text } };
}

const usage = (message: string): InvalidArgumentError => new InvalidArgumentError('INVALID_OPTION', message);
