/** `quadrille dump`: the whole content of a revision as a document. */
import type { Command } from 'commander';
import { rdfType, rdfTypeOfFile } from '../formats.js';
import { addAt, addJson, addRepository } from '../options.js';
import { writeFileAtomically } from '../output-file.js';
import { type ReadingOptions, type Shell, withView } from '../shell.js';

interface Options extends ReadingOptions {
  readonly format?: string;
  readonly output?: string;
}

const EXAMPLES = `
Examples:
  $ quadrille dump ./data > all.nq
  $ quadrille dump ./data -o all.trig.gz
  $ quadrille dump ./data --at HEAD~1 --format ttl

Without --format the name of the file decides, else N-Quads. A file appears under its name when it is complete.
`;

export function addDump(program: Command, shell: Shell): void {
  const command = program
    .command('dump')
    .description('Print everything in a repository.')
    .argument('<store>', 'directory of the store')
    .option('-f, --format <format>', 'nt, nq, ttl, trig or a media type')
    .option('-o, --output <file>', 'write to this file; with .gz at the end it is compressed');
  addJson(addRepository(addAt(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      const { format, output } = options;
      const mediaType = await (format === undefined ? rdfTypeOfFile(output) : rdfType(format));
      await withView(store, options, async (view) => {
        const document = view.dump(mediaType, { signal: shell.signal });
        if (output === undefined) return shell.stdout.writeAll(document);
        const written = await writeFileAtomically(output, document);
        if (options.json === true) await shell.stdout.json({ file: output, bytes: written });
      });
    });
}
