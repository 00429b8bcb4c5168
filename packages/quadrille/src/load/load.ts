/** Loads a document into a repository: source → bytes → parser → engine, one revision at the end. */
import type { BulkLoader, Repository as CoreRepository, Revision } from '@quadrille/core';
import type { AsyncRdfParser } from '@quadrille/formats';
import { checkJsonLdOptions, isReadable } from '@quadrille/formats';
import { checkTerm, DecompressionGuard, EvaluationError, InvalidArgumentError, LimitError } from '@quadrille/model';
import type { LoadOptions, LoadSource } from '../api/index.js';
import { findFormat } from '../documents/formats.js';
import { gunzip, withBeginning } from './gunzip.js';
import { openLoadParser } from './parser.js';
import { Progress } from './progress.js';
import type { OpenSource } from './source.js';
import { openSource } from './source.js';

/** Bytes that were handed on and are counted as read with the next ones. */
const CHUNK_UNDER_WAY = 256 * 1024;

/** Making an error for each load, with its stack, takes a twentieth of a short one. */
const ENDED = new EvaluationError('ABORTED', 'the load has ended');

export async function loadDocument(
  repository: CoreRepository,
  source: LoadSource,
  options: LoadOptions,
): Promise<Revision> {
  checkJsonLdOptions(options.jsonLd, 'load');
  if (options.graph !== undefined) checkTerm(options.graph, 'graph');
  // A revision that is not there is told before anything is read.
  if (options.ifRevision !== undefined) await repository.resolve(options.ifRevision);
  const opened = await openSource(source);
  const progress = new Progress(options, options.bytesTotal ?? opened.length);
  const chunks = counted(opened.chunks, progress, options.signal);
  const iterator = chunks[Symbol.asyncIterator]();
  let load: BulkLoader | undefined;
  // Ends what a parser has running where the load ends before the document does.
  const over = new AbortController();
  try {
    const { isPacked, chunks: bytes } = await withBeginning(iterator);
    const name = options.sourceName ?? opened.name;
    const makeParser = await parserFor(opened, options, name, over.signal);
    load = await repository.beginLoad({ graph: options.graph, replace: options.replace, signal: options.signal });
    progress.start(load);
    const plain = isPacked ? gunzip(bytes, name === undefined ? {} : { source: name }) : bytes;
    // What unpacks may still hold what it was given.
    const release = isPacked ? undefined : opened.release;
    const parser = await makeParser(load, isPacked ? undefined : progress.bytesTotal);
    await parseAll(parser, limited(plain, progress, options, name), load, release);
    progress.enter('indexing');
    await load.writeRest();
    progress.enter('committing');
    const revision = await repository.finishLoad(load, options);
    progress.finish();
    return revision;
  } catch (error) {
    throw options.signal?.aborted
      ? new EvaluationError('ABORTED', 'the load was aborted; nothing of it was kept', { cause: error })
      : error;
  } finally {
    progress.stop();
    over.abort(ENDED);
    await iterator.return?.(undefined);
    await load?.close();
  }
}

async function parseAll(
  parser: AsyncRdfParser,
  chunks: AsyncIterable<Uint8Array>,
  load: BulkLoader,
  release?: () => void,
): Promise<void> {
  for await (const chunk of chunks) {
    await parser.push(chunk);
    release?.();
    await makeRoom(load);
  }
  await parser.end();
}

async function makeRoom(load: BulkLoader): Promise<void> {
  if (load.full) await load.writeChunk();
  if (load.due) await load.pause();
}

async function parserFor(
  opened: OpenSource,
  options: LoadOptions,
  name: string | undefined,
  over: AbortSignal,
): Promise<(load: BulkLoader, length: number | undefined) => Promise<AsyncRdfParser>> {
  const { fileName } = opened;
  if (options.format === undefined && fileName === undefined) {
    throw new InvalidArgumentError('INVALID_OPTION', 'the format of a stream is not known: give { format }');
  }
  const format = await findFormat((formats) =>
    options.format === undefined ? formats.byExtension(fileName!).format : formats.find(options.format),
  );
  if (!isReadable(format)) {
    throw new InvalidArgumentError('INVALID_OPTION', `${format.name} can be written, not read`);
  }

  const skipping =
    options.onError === 'skip' ? (await import('./skipped-faults.js')).skippingFaults(options) : undefined;
  return (load, length) => {
    const parserOptions = {
      ...skipping,
      sink: load,
      onBatch: () => makeRoom(load),
      ...(name === undefined ? {} : { source: name }),
      baseIRI: options.baseIRI ?? opened.iri,
      ...(options.loadDocument === undefined ? {} : { loadDocument: options.loadDocument }),
      jsonLd: options.jsonLd,
      signal: options.signal === undefined ? over : AbortSignal.any([options.signal, over]),
    };
    return openLoadParser(format, parserOptions, length);
  };
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  progress: Progress,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    yield chunk;
    progress.count(chunk.length);
  }
}

/** Limits what a document becomes: a short gzip file can become a very long document. */
async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  progress: Progress,
  limits: Pick<LoadOptions, 'maxBytes' | 'maxRatio'>,
  name = 'the document',
): AsyncGenerator<Uint8Array> {
  const guard = new DecompressionGuard(limits);
  for await (const chunk of chunks) {
    const exceeded = guard.exceeded(chunk.length, progress.bytesRead + CHUNK_UNDER_WAY);
    if (exceeded === 'length') {
      throw new LimitError('INPUT_TOO_LARGE', `${name} is longer than ${String(limits.maxBytes)} bytes`);
    }
    if (exceeded === 'ratio') {
      throw new LimitError('INPUT_TOO_LARGE', `${name} is compressed more than ${String(limits.maxRatio)} to 1`);
    }
    yield chunk;
  }
}
