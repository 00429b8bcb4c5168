/** `quadrille patch`: applies RDF Patch, such as `quadrille diff` and `quadrille watch` print it. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { LoadSource } from 'quadrille';
import { addBranch, addCommit, addJson, addPlace, type CommitOptions, PLACE } from '../options.js';
import { isServer } from '../server/server-place.js';
import { type CommonOptions, type Shell, showRevision, withChange } from '../shell.js';
import { checkReadable } from '../text-input.js';

type Options = CommonOptions & CommitOptions;

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
    .argument('<store>', PLACE)
    .argument('<file>', 'a file of RDF Patch, also with gzip; - for standard input');
  addJson(addBranch(addPlace(addCommit(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, file: string, options: Options) => {
      await withChange(shell, store, options, {}, async (repository, change) =>
        showRevision(shell, await repository.patch(await source(store, file), change), options),
      );
    });
}

/** A server takes bytes. */
async function source(place: string, file: string): Promise<LoadSource> {
  const stream = file === '-' ? process.stdin : undefined;
  if (!isServer(place)) return stream ?? file;
  if (stream === undefined) await checkReadable(file);
  const bytes = Readable.toWeb(stream ?? createReadStream(file)) as ReadableStream<Uint8Array>;
  return file.endsWith('.gz')
    ? bytes.pipeThrough(new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>)
    : bytes;
}
