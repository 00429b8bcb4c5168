/** Documents that a guest sends to the holder. It reads its own files, and parses what only it can read. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { LoadDocumentOptions, LoadSource as Sent } from '@quadrille/client';
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import {
  type CommitOptions,
  formats,
  type LoadedRevision,
  type LoadOptions,
  type LoadSource,
  open,
  type RdfFormat,
} from 'quadrille';

/** A longer file is sent as a stream, which cannot be sent again. */
const MOST_BYTES = 4 * 1024 * 1024;
const NQUADS = 'application/n-quads';

/** A document as it is sent. */
export interface Document {
  readonly source: Sent;
  /** How it is read there. */
  readonly how: Pick<LoadDocumentOptions, 'format' | 'baseIRI' | 'graph' | 'replace'>;
  /** What the options say of the revision. */
  readonly commit: CommitOptions;
  /** What this process has left out. */
  readonly dropped?: LoadedRevision['dropped'];
}

/**
 * @throws NotFoundError `INPUT_NOT_FOUND`; InvalidArgumentError `INVALID_OPTION`, `UNSUPPORTED_FORMAT`; ParseError `RDF_SYNTAX` where this
 * process parses
 */
export async function documentOf(
  source: LoadSource,
  options: LoadOptions,
  prefixes: () => Promise<Readonly<Record<string, string>>>,
): Promise<Document> {
  const { message, author, ifRevision, signal, ...rest } = options;
  const { replace, ...how } = rest;
  const dryRun = 'dryRun' in options ? { dryRun: true } : {};
  const commit: CommitOptions = { message, author, ifRevision, signal, ...dryRun };
  const path = typeof source === 'string' ? source : source instanceof URL ? fileURLToPath(source) : undefined;
  const format = await mediaType((known) => formatOf(known, how.format, path), how.mapping !== undefined);
  if (isReadHere(how, format)) {
    const parsed = await parsedHere(source, { ...how, signal }, await prefixes());
    return { ...parsed, how: { format: NQUADS, ...(replace !== undefined && { replace }) }, commit };
  }
  const { baseIRI = path && pathToFileURL(path).href, graph } = how;
  return {
    source: await contentOf(source),
    how: { format, baseIRI, graph: graph as LoadDocumentOptions['graph'], ...(replace !== undefined && { replace }) },
    commit,
  };
}

/** What a source has, as the client sends it. @throws NotFoundError `INPUT_NOT_FOUND` */
export function contentOf(source: LoadSource): Promise<Sent> {
  if (typeof source === 'string') return ofFile(source);
  return source instanceof URL ? ofFile(fileURLToPath(source)) : sentOf(source);
}

/** Whether the options need functions, files or hosts of this process. */
const isReadHere = (
  { mapping, safe, onError, graph, contexts, loadDocument, jsonLd }: LoadOptions,
  format: string,
): boolean =>
  mapping !== undefined ||
  safe !== undefined ||
  onError === 'skip' ||
  (graph !== undefined && graph.termType !== 'NamedNode') ||
  (/json/.test(format) && [contexts, loadDocument, jsonLd].some((each) => each !== undefined));

/** In a store in memory, which is sent as it is. */
async function parsedHere(
  source: LoadSource,
  options: LoadOptions,
  prefixes: Readonly<Record<string, string>>,
): Promise<Pick<Document, 'source' | 'dropped'>> {
  await using database = await open(':memory:');
  const repository = await database.repository('parsed', { create: true });
  for (const [prefix, iri] of Object.entries(prefixes)) await repository.namespaces.set(prefix, iri);
  const { dropped } = await repository.load(source, options);
  const pieces = await repository.dump(NQUADS).toArray();
  return { source: { text: pieces.join('') }, ...(dropped !== undefined && { dropped }) };
}

async function ofFile(path: string): Promise<Sent> {
  try {
    const { size } = await stat(path);
    if (size <= MOST_BYTES) return new Uint8Array(await readFile(path));
    return Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  } catch (cause) {
    throw new NotFoundError('INPUT_NOT_FOUND', `the file ${path} cannot be read`, { cause });
  }
}

async function sentOf(source: Exclude<LoadSource, string | URL>): Promise<Sent> {
  if (source instanceof Uint8Array || 'text' in source) return source as Sent;
  const stream = typeof source === 'function' ? await source(0) : source;
  if (stream instanceof ReadableStream) return stream;
  return Readable.toWeb(Readable.from(stream)) as ReadableStream<Uint8Array>;
}

function formatOf(known: typeof formats, format: string | undefined, path: string | undefined): RdfFormat {
  if (format !== undefined) return known.find(format);
  if (path !== undefined) return known.byExtension(path).format;
  throw new InvalidArgumentError('INVALID_OPTION', 'load: format is needed for what is no file with a name');
}

/** Most programs read formats that need not be loaded. @param isTable whether it is no format of RDF */
async function mediaType(find: (known: typeof formats) => RdfFormat, isTable: boolean): Promise<string> {
  if (isTable) return '';
  try {
    return find(formats).mediaTypes[0]!;
  } catch {
    (await import('@quadrille/formats-extra')).registerExtraFormats(formats);
    return find(formats).mediaTypes[0]!;
  }
}
