/** `quadrille validate`: whether a revision obeys shapes. */
import { iri, literal, withTermTexts } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { type Command, Option } from 'commander';
import type { ShapesReport, ShapesResult } from 'quadrille';
import { EXIT } from '../exit.js';
import { addAt, addBranch, addPlace, PLACE, seconds, wholeNumber } from '../options.js';
import { type ReadingOptions, type Shell, READING, withDatabase, withRepository } from '../shell.js';
import { tableLines } from '../table.js';

type Format = 'table' | 'turtle' | 'json';

interface Options extends ReadingOptions {
  readonly shapes?: string;
  readonly graph?: string;
  readonly format: Format;
  readonly limit?: number;
  readonly change?: boolean;
  readonly explain?: boolean;
  readonly strict?: boolean;
  readonly timeout?: number;
}

const EXAMPLES = `
Examples:
  $ quadrille validate ./data --shapes people.shapes.ttl
  $ quadrille validate ./data --graph http://example.org/shapes --at HEAD~1 --format json
  $ quadrille validate ./data --shapes people.shapes.ttl --format turtle > report.ttl
  $ quadrille validate ./data --at HEAD --change
  $ quadrille validate ./data --explain

Ends with 0 where the data conform, and with 1 where they do not. Without --shapes and --graph the shapes are those of the settings. Nothing is changed.
`;

export function addValidate(program: Command, shell: Shell): void {
  const command = program
    .command('validate')
    .description('Validate a revision against SHACL shapes, and print the report.')
    .argument('<store>', PLACE)
    .addOption(new Option('--shapes <file>', 'file with the shapes, in any format that load reads').conflicts('graph'))
    .option('--graph <iri>', 'graph of the repository with the shapes')
    .addOption(
      new Option('-f, --format <format>', 'form of the report').choices(['table', 'turtle', 'json']).default('table'),
    )
    .option('--limit <results>', 'results that the report may have', wholeNumber('--limit', 1))
    .option('--change', 'only what the change of the revision can affect, as its commit was checked')
    .option('--explain', 'print what the guard does for each constraint instead of the results')
    .option('--strict', 'refuse shapes that have statements without meaning')
    .option('--timeout <seconds>', 'time limit of the queries of the shapes, in seconds', seconds('--timeout'));
  addBranch(addPlace(addAt(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      const report = await reportOf(store, options, shell);
      for (const { shape, statement, reason } of report.warnings)
        await shell.stderr.line(`quadrille: warning: ${shape} ${statement}: ${reason}`);
      await print(report, options.format, shell);
      if (!report.conforms) shell.setExitCode(EXIT.failed);
    });
}

async function reportOf(store: string, options: Options, { signal }: Shell): Promise<ShapesReport> {
  const { shapes: file, graph, at, change, limit, explain, strict, timeout: timeoutMs } = options;
  const shapes = file === undefined ? graph : await shapesOf(file, signal);
  return withRepository(store, options, READING, (repository) =>
    repository.validate({ at, shapes, change, limit, explain, strict, timeoutMs, signal }),
  );
}

/** The statements of a file, which is read as a load reads it. */
const shapesOf = (file: string, signal: AbortSignal): Promise<readonly RDF.Quad[]> =>
  withDatabase(':memory:', { create: true }, async (database) => {
    const repository = await database.repository('shapes', { create: true });
    await repository.load(file, { signal });
    return repository.quads().toArray();
  });

async function print(report: ShapesReport, format: Format, { stdout }: Shell): Promise<void> {
  if (format === 'turtle') return stdout.write(await turtleOf(report.report));
  const { conforms, results, truncated, warnings, constraints } = report;
  if (format === 'json')
    return stdout.json({
      conforms,
      results: results.map(withTermTexts),
      truncated,
      warnings,
      ...(constraints !== undefined && { constraints: constraints.map(withTermTexts) }),
    });
  if (constraints !== undefined) {
    const columns = ['shape', 'path', 'component', 'validates', 'commits', 'nodes', 'ms'];
    return stdout.writeAll(tableLines(columns, constraintRows(constraints), {}));
  }
  if (report.conforms) return stdout.line('The data conform to the shapes.');
  await stdout.writeAll(tableLines(['shape', 'node', 'path', 'value', 'message'], rowsOf(report.results), {}));
  if (report.truncated) await stdout.line('There are more results.');
}

async function turtleOf(report: ShapesReport['report'] | AsyncIterable<RDF.Quad>): Promise<string> {
  const quads: RDF.Quad[] = [];
  for await (const quad of report) quads.push(quad);
  const { createTurtleSerializer } = await import('@quadrille/formats');
  const prefixes = { sh: 'http://www.w3.org/ns/shacl#', xsd: 'http://www.w3.org/2001/XMLSchema#' };
  const serializer = createTurtleSerializer({ prefixes, trig: false });
  return serializer.write(quads) + serializer.end();
}

type Explained = NonNullable<ShapesReport['constraints']>[number];

async function* constraintRows(constraints: readonly Explained[]): AsyncGenerator<Record<string, RDF.Term>> {
  for (const { shape, path, component, all, commits, nodes, milliseconds } of constraints)
    yield {
      shape,
      ...(path !== undefined && { path: literal(path) }),
      component: iri(component),
      validates: literal(all.length === 0 ? 'affected nodes' : `all nodes after a change of ${all.join(', ')}`),
      commits: literal(String(commits)),
      nodes: literal(String(nodes)),
      ms: literal(milliseconds.toFixed(2)),
    };
}

async function* rowsOf(results: readonly ShapesResult[]): AsyncGenerator<Record<string, RDF.Term>> {
  for (const { shape, focusNode, path, value, message } of results)
    yield {
      shape,
      node: focusNode,
      ...(path !== undefined && { path: literal(path) }),
      ...(value !== undefined && { value }),
      message: literal(message),
    };
}
