/** Loads a document into a repository: source → bytes → parser → engine, one revision at the end. */
import type { BulkLoader, Repository as CoreRepository } from '@quadrille/core';
import type { AsyncParserOptions, AsyncRdfParser, RdfFormat } from '@quadrille/formats';
import { checkJsonLdOptions, isGzip, isReadable } from '@quadrille/formats';
import { checkTerm, DecompressionGuard, EvaluationError, InvalidArgumentError, LimitError } from '@quadrille/model';
import type { LoadedRevision, LoadSource } from '../api/index.js';
import type { HostLoadOptions } from '../host/host-types.js';
import { findFormat } from '../documents/formats.js';
import { DroppedCounter } from './dropped-counter.js';
import { unpack, withPacking } from './gunzip.js';
import { isJsonFile, ofJsonFile } from './json-file.js';
import { openLoadParser } from './parser.js';
import { Progress } from './progress.js';
import type { OpenSource } from './source.js';
import { isShortDocument, loadShortDocument } from './short-document.js';
import { openSource, sliced } from './source.js';

/** Bytes that were handed on and are counted as read with the next ones. */
const CHUNK_UNDER_WAY = 256 * 1024;

/** Making an error for each load, with its stack, takes a twentieth of a short one. */
const ENDED = new EvaluationError('ABORTED', 'the load has ended');

/** @param prefixes those of a mapping */
export async function loadDocument(
  repository: CoreRepository,
  source: LoadSource,
  options: HostLoadOptions,
  prefixes: Readonly<Record<string, string>> = {},
): Promise<LoadedRevision> {
  checkJsonLdOptions(options.jsonLd, 'load');
  if (options.graph !== undefined) checkTerm(options.graph, 'graph');
  // A revision that is not there is told before anything is read.
  if (options.ifRevision !== undefined) await repository.resolve(options.ifRevision);
  const opened = await openSource(source);
  const given = opened.bytes;
  if (given !== undefined) {
    const format = await formatOf(opened, options, prefixes);
    if (isShortDocument(given, format, options)) return loadShort(repository, given, format, opened, options);
  }
  const progress = new Progress(options, options.bytesTotal ?? opened.length);
  const { bytes } = opened;
  const iterator = bytes === undefined ? opened.chunks[Symbol.asyncIterator]() : undefined;
  let load: BulkLoader | undefined;
  let over: AbortController | undefined;
  try {
    const { packing, chunks } =
      iterator === undefined
        ? { packing: isGzip(bytes!) ? ('gzip' as const) : undefined, chunks: sliced(bytes!) }
        : await withPacking(iterator, opened.fileName !== undefined);
    const format = await formatOf(opened, options, prefixes);
    // Ends what a parser has running where the load ends before the document does. Other parsers run within their calls only.
    if (format.createAsyncParser !== undefined) over = new AbortController();
    const name = options.sourceName ?? opened.name;
    load = await repository.beginLoad({ graph: options.graph, replace: options.replace, signal: options.signal });
    progress.start(load);
    const dropped = new DroppedCounter(options, name);
    const rest = { name, iri: opened.iri, over: over?.signal, dropped };
    const parserOptions = await parserOptionsOf(load, options, rest);
    const parser = await openLoadParser(format, parserOptions, packing === undefined ? progress.bytesTotal : undefined);
    const check = limitOf(progress, options, name);
    if (packing !== undefined) {
      const plain = unpack(packing, counted(chunks, progress), name === undefined ? {} : { source: name });
      // What unpacks may still hold what it was given.
      await parseAll(parser, plain, load, { check });
    } else {
      const done = (chunk: Uint8Array): void => progress.count(chunk.length);
      await parseAll(parser, chunks, load, { check, release: opened.release, done });
    }
    progress.enter('indexing');
    await load.writeRest();
    progress.enter('committing');
    const revision = await repository.finishLoad(load, options);
    progress.finish();
    return dropped.addTo(revision);
  } catch (error) {
    throw endOf(options, error);
  } finally {
    progress.stop();
    over?.abort(ENDED);
    await iterator?.return?.(undefined);
    await load?.close();
  }
}

async function loadShort(
  repository: CoreRepository,
  bytes: Uint8Array,
  format: RdfFormat,
  { name, iri }: OpenSource,
  options: HostLoadOptions,
): Promise<LoadedRevision> {
  try {
    return await loadShortDocument(repository, bytes, format, options, { name: options.sourceName ?? name, iri });
  } catch (error) {
    throw endOf(options, error);
  }
}

/** The error for the caller. */
const endOf = ({ signal }: HostLoadOptions, error: unknown): unknown =>
  signal?.aborted === true
    ? new EvaluationError('ABORTED', 'the load was aborted; nothing of it was kept', { cause: error })
    : error;

/** What happens to a chunk around its parse. */
interface Steps {
  /** Before it. @throws where the load may not go on */
  readonly check: (chunk: Uint8Array) => void;
  /** As soon as it was parsed. */
  readonly release?: (() => void) | undefined;
  /** When the load has made room. */
  readonly done?: (chunk: Uint8Array) => void;
}

async function parseAll(
  parser: AsyncRdfParser,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  load: BulkLoader,
  { check, release, done }: Steps,
): Promise<void> {
  for await (const chunk of chunks) {
    check(chunk);
    await parser.push(chunk);
    release?.();
    if (load.full || load.due) await makeRoom(load);
    done?.(chunk);
  }
  await parser.end();
}

async function formatOfFile(fileName: string): Promise<RdfFormat> {
  try {
    return await findFormat((formats) => formats.byExtension(fileName).format);
  } catch (error) {
    throw (await import('../tables/table-formats.js')).tableWithoutMapping(fileName) ?? error;
  }
}

async function makeRoom(load: BulkLoader): Promise<void> {
  if (load.full) await load.writeChunk();
  if (load.due) await load.pause();
}

async function formatOf(
  { fileName, iri }: OpenSource,
  options: HostLoadOptions,
  prefixes: Readonly<Record<string, string>>,
): Promise<RdfFormat> {
  const { mapping } = options;
  if (mapping !== undefined) {
    const { mappedFormat } = await import('../tables/mapped-format.js');
    return mappedFormat({ format: options.format, fileName, mapping, prefixes, baseIRI: options.baseIRI ?? iri });
  }
  if (options.format === undefined && fileName === undefined) {
    throw new InvalidArgumentError('INVALID_OPTION', 'the format of a stream is not known: give { format }');
  }
  if (options.format === undefined && isJsonFile(fileName!))
    return ofJsonFile(await findFormat((formats) => formats.find('JSON-LD')), fileName!);
  const format = await (options.format === undefined
    ? formatOfFile(fileName!)
    : findFormat((formats) => formats.find(options.format!)));
  if (isReadable(format)) return format;
  throw new InvalidArgumentError('INVALID_OPTION', `${format.name} can be written, not read`);
}

/** What a parser needs besides the options of the load. */
interface Rest {
  readonly name: string | undefined;
  readonly iri: string | undefined;
  readonly over: AbortSignal | undefined;
  readonly dropped: DroppedCounter;
}

async function parserOptionsOf(
  load: BulkLoader,
  options: HostLoadOptions,
  { name, iri, over, dropped }: Rest,
): Promise<AsyncParserOptions> {
  const { signal } = options;
  const skipping =
    options.onError === 'skip' ? (await import('./skipped-faults.js')).skippingFaults(options) : undefined;
  return {
    sink: load,
    onBatch: () => makeRoom(load),
    onFault: skipping?.onFault,
    source: name,
    baseIRI: options.baseIRI ?? iri,
    loadDocument: await contextsOf(options),
    jsonLd: options.jsonLd,
    onDropped: dropped.add,
    signal: over === undefined || signal === undefined ? (over ?? signal) : AbortSignal.any([signal, over]),
  };
}

async function contextsOf({ contexts, loadDocument }: HostLoadOptions): Promise<HostLoadOptions['loadDocument']> {
  return contexts === undefined ? loadDocument : (await import('./contexts.js')).givenContexts(contexts, loadDocument);
}

async function* counted(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    progress.count(chunk.length);
  }
}

/** Ends an aborted load, and limits what a document becomes: a short gzip file can become a very long document. */
function limitOf(
  progress: Progress,
  { signal, maxBytes, maxRatio }: HostLoadOptions,
  name = 'the document',
): (chunk: Uint8Array) => void {
  const guard = new DecompressionGuard({ maxBytes, maxRatio });
  return ({ length }) => {
    signal?.throwIfAborted();
    const exceeded = guard.exceeded(length, progress.bytesRead + CHUNK_UNDER_WAY);
    if (exceeded === 'length') {
      throw new LimitError('INPUT_TOO_LARGE', `${name} is longer than ${String(maxBytes)} bytes`);
    }
    if (exceeded === 'ratio') {
      throw new LimitError('INPUT_TOO_LARGE', `${name} is compressed more than ${String(maxRatio)} to 1`);
    }
  };
}
