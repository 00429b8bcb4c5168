/** `quadrille dump`: the whole content of a revision as a document. */
import { InvalidArgumentError, iri, isAbsoluteIri } from '@quadrille/model';
import type { Command } from 'commander';
import type { DumpOptions } from 'quadrille';
import { rdfType, rdfTypeOfFile } from '../formats.js';
import { PLACE, addAt, addBranch, addJson, addPlace, rdfDirection } from '../options.js';
import { writeFileAtomically } from '../output-file.js';
import { refuseLocal } from '../server/server-place.js';
import { type ReadingOptions, type Shell, withView } from '../shell.js';

interface Options extends ReadingOptions {
  readonly dropGraphs?: boolean;
  readonly format?: string;
  readonly graph?: string;
  readonly output?: string;
  readonly rdfDirection?: NonNullable<DumpOptions['jsonLd']>['rdfDirection'];
}

const EXAMPLES = `
Examples:
  $ quadrille dump ./data > all.nq
  $ quadrille dump ./data -o all.trig.gz
  $ quadrille dump ./data --at HEAD~1 --format ttl
  $ quadrille dump ./data --graph http://example.org/people --format ttl
  $ quadrille dump ./data --drop-graphs --format nt

Without --format the name of the file decides, else N-Quads. A file appears under its name when it is complete. A format
without named graphs (nt, ttl, RDF/XML) takes one graph, or all of them with --drop-graphs.
`;

export function addDump(program: Command, shell: Shell): void {
  const command = program
    .command('dump')
    .description('Print everything in a repository.')
    .argument('<store>', PLACE)
    .option('-f, --format <format>', 'nt, nq, ttl, trig or a media type')
    .option('-g, --graph <iri>', 'only the quads of this graph')
    .option('--drop-graphs', 'omit the names of graphs, and write each triple once')
    .addOption(rdfDirection())
    .option('-o, --output <file>', 'write to this file; compressed if its name ends with .gz');
  addJson(addBranch(addPlace(addAt(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      const { format, output } = options;
      refuseLocal(store, { 'rdf-direction': options.rdfDirection });
      const shared = dumpOptions(options);
      const mediaType = await (format === undefined ? rdfTypeOfFile(output) : rdfType(format));
      await withView(store, options, async (view) => {
        const document = view.dump(mediaType, { signal: shell.signal, ...shared });
        if (output === undefined) return shell.stdout.writeAll(document);
        const written = await writeFileAtomically(output, document);
        if (options.json === true) await shell.stdout.json({ file: output, bytes: written });
      });
    });
}

function dumpOptions({ graph, dropGraphs, rdfDirection: form }: Options): DumpOptions {
  if (graph !== undefined && !isAbsoluteIri(graph)) {
    throw new InvalidArgumentError('INVALID_OPTION', `--graph is not an absolute IRI: ${graph}`);
  }
  return {
    ...(graph !== undefined && { graph: iri(graph) }),
    ...(dropGraphs === true && { graphs: 'drop' }),
    ...(form !== undefined && { jsonLd: { rdfDirection: form } }),
  };
}
