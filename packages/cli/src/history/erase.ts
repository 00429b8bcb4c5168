/** `quadrille erase`: erases a term, the quads of a pattern, or single quads from all revisions. */
import { InvalidArgumentError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { Command } from 'commander';
import type { EraseReport, EraseTarget, QuadPattern } from 'quadrille';
import { text as readAll } from 'node:stream/consumers';
import { addJson, addPattern, addPlace, given, patternOf, type PatternOptions, PLACE, termOf } from '../options.js';
import { refuseLocal } from '../server/server-place.js';
import { type CommonOptions, type Shell, withRepository } from '../shell.js';
import { readInput } from '../text-input.js';

interface Options extends CommonOptions, PatternOptions {
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
  $ quadrille erase https://data.example.org/acme/people --term '"Ann"@en' --reason 'Request 17'

All quads that have the term at any place go, or all that match the pattern, or those of the file. They go from every
revision of every branch. This cannot be undone.
`;

export function addErase(program: Command, shell: Shell): void {
  const command = program
    .command('erase')
    .description('Erase a term, the quads of a pattern, or single quads from every revision of every branch.')
    .argument('<store>', PLACE)
    .option('--term <term>', 'the term in N-Triples syntax, or an IRI')
    .option('--quads <file>', 'N-Quads file of the quads; - for standard input. Labels of blank nodes are as stored')
    .requiredOption('--reason <text>', 'why; it must not repeat what is erased')
    .option('--author <name>', 'author of the revisions that it makes')
    .option('--dry-run', 'only count what would be erased');
  addPattern(command);
  addJson(addPlace(command))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
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

async function erased(place: string, options: Options, signal: AbortSignal): Promise<EraseReport> {
  const { reason, author, dryRun } = options;
  refuseLocal(place, { author });
  const target = await targetOf(options);
  return withRepository(place, options, { create: false }, (repository) =>
    repository.maintenance.erase(target, { reason, signal, ...given({ author, dryRun }) }),
  );
}

/** @throws InvalidArgumentError `INVALID_OPTION` unless one of the three ways is used */
async function targetOf(options: Options): Promise<EraseTarget> {
  const { term, quads } = options;
  const pattern = given(await patternOf(options)) as QuadPattern;
  const hasPattern = Object.keys(pattern).length > 0;
  if ([term !== undefined, quads !== undefined, hasPattern].filter(Boolean).length !== 1)
    throw usage('say what is erased: --term, --quads, or at least one of --subject, --predicate, --object and --graph');
  if (hasPattern) return { pattern };
  if (quads !== undefined) return { quads: await quadsOf(quads) };
  return { term: (await termOf('--term', term, 'NamedNode', 'BlankNode', 'Literal', 'Quad'))! };
}

async function quadsOf(file: string): Promise<RDF.Quad[]> {
  const { parseQuads } = await import('@quadrille/formats');
  const text = file === '-' ? await readAll(process.stdin) : await readInput(file);
  const quads: RDF.Quad[] = [];
  for await (const quad of parseQuads(text, { format: 'application/n-quads', source: file })) quads.push(quad);
  if (quads.length === 0) throw usage(`--quads ${file} has no quad`);
  return quads;
}

const usage = (message: string): InvalidArgumentError => new InvalidArgumentError('INVALID_OPTION', message);
