/** `quadrille load`: files into a repository, one revision each. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsoluteIri, InvalidArgumentError, iri } from '@quadrille/model';
import { type Command, Option } from 'commander';
import type { Backend, LoadOptions, LoadSource, Repository } from 'quadrille';
import { allFormats, rdfType } from '../formats.js';
import { revisionLine } from '../lines.js';
import {
  addBranch,
  addCommit,
  addJson,
  addPlace,
  backend,
  type CommitOptions,
  given,
  PLACE,
  processingMode,
  rdfDirection,
  wholeNumber,
} from '../options.js';
import { isPublishedStore, isServer, publishedOnly, refuseLocal, remoteRepository } from '../server/server-place.js';
import { tellDropped } from '../documents/document-place.js';
import { inMapping } from '../documents/mapping-error.js';
import { mappedCopy, type SentCopy, unpackedCopy } from '../documents/sent-copy.js';
import { addContexts, addHosts, contextFetcher, contextFiles } from '../documents/json-ld-contexts.js';
import type { ContextOptions } from '../documents/json-ld-contexts.js';
import { startProgress } from '../progress.js';
import { type CommonOptions, type Shell, showPreview, warnings, withDatabase, repositoryOf } from '../shell.js';
import { checkReadable, readInput } from '../text-input.js';

type JsonLd = NonNullable<LoadOptions['jsonLd']>;

interface Options extends CommonOptions, CommitOptions, ContextOptions {
  readonly format?: string;
  readonly mapping?: string;
  readonly replace?: boolean;
  readonly graph?: string;
  readonly base?: string;
  readonly rdfDirection?: JsonLd['rdfDirection'];
  readonly expandContext?: string;
  readonly processingMode?: JsonLd['processingMode'];
  readonly onError?: 'fail' | 'skip';
  readonly maxErrors?: number;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
  readonly backend?: Backend;
}

const EXAMPLES = `
Examples:
  $ quadrille load ./data people.ttl.gz
  $ quadrille load ./data people.ttl --graph http://example.org/people -m 'people of May'
  $ quadrille load ./data v1.nt v2.nt v3.nt --replace       three revisions, each the whole content
  $ quadrille load ./data event.jsonld --context https://schema.org=schemaorg.jsonld      without network
  $ curl -s http://example.org/d.nq | quadrille load ./data - --format nq
  $ quadrille load ./data people.csv --mapping people.rq     a CONSTRUCT for each row: its columns are variables
  $ quadrille load https://data.example.org/acme/people people.ttl.gz       to a server, across broken connections

The format is known by the name of the file (.nt .nq .ttl .trig, also with .gz .bz2 .zst). The store and the repository are made
where they do not exist, but not at a server. A file that has an error changes nothing; files before it stay loaded.
`;

export function addLoad(program: Command, shell: Shell): void {
  const command = program
    .command('load')
    .description('Load files, each as one revision. Creates the store if it does not exist.')
    .argument('<store>', PLACE)
    .argument('<files...>', 'RDF documents, tables with --mapping, or - for standard input')
    .option(
      '-f, --format <format>',
      'nt, nq, ttl, trig, of a table csv, tsv, json, jsonl, or a media type (default: by the name of the file)',
    )
    .option('--mapping <file>', 'the file is a table (csv, tsv, json, jsonl): make this CONSTRUCT of each row')
    .option('--replace', 'replace the content of the repository, or with --graph the content of that graph')
    .option('-g, --graph <iri>', 'load everything into this graph')
    .option('-b, --base <iri>', 'resolves relative IRIs (default: the address of the file)')
    .addOption(
      new Option('--on-error <what>', 'what to do at a malformed line, IRI or language tag (default: fail)').choices([
        'fail',
        'skip',
      ]),
    )
    .option('--max-errors <count>', 'greatest number of lines to skip (default: 1000)', wholeNumber('--max-errors', 0))
    .option('--dry-run', 'only tell how many quads each file would add and remove')
    .option('--strict', 'refuse JSON-LD with parts that are no RDF, and a table of which the mapping makes nothing')
    .addOption(rdfDirection())
    .option('--expand-context <file>', 'a JSON-LD context that applies before the contexts of the documents')
    .addOption(processingMode())
    .addOption(backend());
  addHosts(addContexts(command), 'contexts of JSON-LD', 'other hosts and files that a document names');
  addJson(addBranch(addPlace(addCommit(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, files: string[], options: Options) => {
      // Before the store is made: a mistyped file name must not leave an empty store.
      for (const file of [...files, options.mapping ?? '-']) if (file !== '-') await checkReadable(file);
      if (isServer(store)) return toServer(shell, store, files, options);
      const shared = await loadOptions(shell, options);
      const { durability, backend: name, upgrade } = options;
      const create = options.dryRun !== true;
      const openOptions = {
        create,
        logger: warnings(shell),
        upgrade,
        ...given({ durability, backend: name }),
      };
      await withDatabase(store, openOptions, async (database) => {
        const repository = await repositoryOf(database, options, { create });
        for (const file of files) await loadFile(shell, repository, file, shared, options);
      });
    });
}

/** The repository has to exist. A load goes on where the connection breaks. */
async function toServer(shell: Shell, place: string, files: readonly string[], options: Options): Promise<void> {
  const { author, durability, upgrade, backend: name, expandContext, context, fetch, allow, safe, strict } = options;
  refuseLocal(place, { author, durability, 'no-upgrade': upgrade ? undefined : true, backend: name });
  refuseLocal(place, { 'expand-context': expandContext, context, fetch, allow, safe, strict });
  if (await isPublishedStore(place)) throw publishedOnly(place);
  const repository = await remoteRepository(place, options);
  if (options.mapping !== undefined) return mappedToServer(shell, repository, files, options);
  for (const file of files) {
    const copy = file === '-' ? undefined : await unpackedCopy(file);
    await send(shell, repository, file, copy, options);
  }
}

/** Sends a file, or the copy that was made of it. */
async function send(
  shell: Shell,
  repository: Repository,
  file: string,
  copy: SentCopy | undefined,
  options: Options,
): Promise<void> {
  try {
    const sent = await sentFile(shell, file, copy?.path ?? file, options);
    await loadFile(shell, repository, file, sent, options);
  } finally {
    await copy?.remove();
  }
}

/** Tables are mapped here, so that only statements go to the server. */
async function mappedToServer(
  shell: Shell,
  repository: Repository,
  files: readonly string[],
  { mapping: mappingFile, format, ...options }: Options,
): Promise<void> {
  const { base, onError, maxErrors } = options;
  const mapping = await readInput(mappingFile!);
  const prefixes = await repository.namespaces.list();
  for (const file of files) {
    const rest = given({ format, baseIRI: base, onError, maxErrors });
    const how = { mapping, prefixes, onProblem: problemsOf(shell, file), signal: shell.signal, ...rest };
    const copy = await mappedCopy(file, how).catch((error: unknown) => {
      throw inMapping(error, mappingFile);
    });
    await send(shell, repository, file, copy, { ...options, format: 'nt' });
  }
}

/** How a file is sent. */
async function sentFile(shell: Shell, file: string, path: string, options: Options): Promise<Loaded> {
  if (path === '-')
    throw new InvalidArgumentError('INVALID_OPTION', 'standard input cannot be read again after a broken connection');
  const { rdfDirection: direction, processingMode: mode } = options;
  const onResume = (bytes: number): void => {
    const text = `quadrille: the connection was lost; ${file} goes on at byte ${String(bytes)}`;
    shell.stderr.line(text).catch(() => undefined);
  };
  return {
    ...commonOptions(options),
    source: (offset) => createReadStream(path, { start: offset }),
    format: await typeOf(file, options.format),
    bytesTotal: (await stat(path)).size,
    jsonLd: given({ rdfDirection: direction, processingMode: mode }),
    onResume,
  };
}

async function typeOf(file: string, format: string | undefined): Promise<string> {
  if (format !== undefined) return rdfType(format);
  const { format: found } = (await allFormats()).byExtension(file);
  return found.mediaTypes[0]!;
}

/** The options of a load. Of one to a server also the source, and whom it tells of a broken connection. */
type Loaded = LoadOptions & { readonly source?: LoadSource; readonly onResume?: (bytes: number) => void };

/** Tells what `--on-error skip` leaves out. */
const problemsOf =
  (shell: Shell, file: string): NonNullable<LoadOptions['onProblem']> =>
  (problem) => {
    if (problem.kind === 'dropped') return;
    const { line, column, message } = problem;
    const place = `${file}:${String(line)}:${String(column)}`;
    shell.stderr.line(`quadrille: skipped ${place}: ${message}`).catch(() => undefined);
  };

async function loadFile(
  shell: Shell,
  repository: Repository,
  file: string,
  { source: sent, ...shared }: Loaded,
  { json = false, dryRun = false, mapping }: Options,
): Promise<void> {
  const progress = startProgress(shell, file, json);
  const before = await repository.revision();
  try {
    const options: LoadOptions = {
      ...shared,
      signal: shell.signal,
      onProblem: problemsOf(shell, file),
      ...given({ onProgress: progress.report }),
    };
    const [source, sourceName] = file === '-' ? [process.stdin, 'standard input'] : [sent ?? file, undefined];
    const how = { ...options, ...given({ sourceName }) };
    if (dryRun) {
      const preview = await repository.load(source, { ...how, dryRun });
      await progress.end();
      if (!json) await shell.stdout.write(`${file}: `);
      return await showPreview(shell, preview, { json });
    }
    const revision = await repository.load(source, how);
    await progress.end();
    await tellDropped(shell, file, revision);
    if (json) await shell.stdout.json(revision);
    else {
      const note = revision.id === before.id ? 'nothing changed, still ' : '';
      await shell.stdout.line(`${file}: ${note}${revisionLine(revision)}`);
    }
  } catch (error) {
    await progress.end().catch(() => undefined);
    throw inMapping(error, mapping);
  }
}

async function loadOptions(shell: Shell, options: Options): Promise<LoadOptions> {
  return given({
    ...commonOptions(options),
    format: options.format,
    mapping: options.mapping === undefined ? undefined : await readInput(options.mapping),
    safe: options.strict,
    jsonLd: await jsonLdOptions(options),
    contexts: await contextFiles(options),
    loadDocument: contextFetcher(shell, options),
    author: options.author,
  });
}

/** What stores and servers have in common. */
function commonOptions({ graph, replace, base, onError, maxErrors, message }: Options): LoadOptions {
  if (graph !== undefined && !isAbsoluteIri(graph))
    throw new InvalidArgumentError('INVALID_OPTION', `--graph is not an absolute IRI: ${graph}`);
  const into = graph === undefined ? undefined : iri(graph);
  return given({ graph: into, replace, baseIRI: base, onError, maxErrors, message });
}

async function jsonLdOptions({ rdfDirection: form, processingMode: mode, expandContext }: Options): Promise<JsonLd> {
  const context = expandContext === undefined ? undefined : await contextOf(expandContext);
  return given({ rdfDirection: form, processingMode: mode, expandContext: context });
}

async function contextOf(file: string): Promise<object> {
  const text = await readInput(file);
  try {
    const context: unknown = JSON.parse(text);
    if (typeof context === 'object' && context !== null) return context;
  } catch (cause) {
    throw new InvalidArgumentError('INVALID_OPTION', `--expand-context is not JSON: ${file}`, { cause });
  }
  throw new InvalidArgumentError('INVALID_OPTION', `--expand-context is not an object or a list: ${file}`);
}
