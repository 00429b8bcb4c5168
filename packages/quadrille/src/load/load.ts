/** Loads a document into a repository: source → bytes → parser → engine, one revision at the end. */
import type { BulkLoader, Repository as CoreRepository, Revision } from '@quadrille/core';
import type { AsyncRdfParser } from '@quadrille/formats';
import { isGzip, isReadable } from '@quadrille/formats';
import { checkTerm, EvaluationError, InvalidArgumentError, LimitError } from '@quadrille/model';
import type { LoadOptions, LoadPhase, LoadSource } from '../api/index.js';
import { findFormat } from '../documents/formats.js';
import { gunzip } from './gunzip.js';
import { openLoadParser } from './parser.js';
import type { OpenSource } from './source.js';
import { openSource } from './source.js';

const PROGRESS_MS = 200;
const RATIO_FROM_BYTES = 1_000_000;
/** Bytes that were handed on and are counted as read with the next ones. */
const CHUNK_UNDER_WAY = 256 * 1024;
/** Share of the work that reading is; the rest is indexing and the commit. */
const READING_SHARE = 0.6;
const INDEXING_SHARE = 0.39;

export async function loadDocument(
  repository: CoreRepository,
  source: LoadSource,
  options: LoadOptions,
): Promise<Revision> {
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
    const start = await beginning(iterator);
    const name = options.sourceName ?? opened.name;
    const makeParser = await parserFor(opened, options, name, over.signal);
    load = await repository.beginLoad({ graph: options.graph, replace: options.replace, signal: options.signal });
    progress.start(load);
    const bytes = rest(start, iterator);
    const packed = isGzip(start);
    const plain = packed ? gunzip(bytes, name === undefined ? {} : { source: name }) : bytes;
    // What unpacks may still hold what it was given.
    const release = packed ? undefined : opened.release;
    const parser = await makeParser(load, packed ? undefined : progress.bytesTotal);
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
    over.abort();
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

  return (load, length) => {
    const parserOptions = {
      sink: load,
      onBatch: () => makeRoom(load),
      ...(name === undefined ? {} : { source: name }),
      baseIRI: options.baseIRI ?? opened.iri,
      ...(options.loadDocument === undefined ? {} : { loadDocument: options.loadDocument }),
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

/** What a document becomes is limited as well as what was sent: little can become very much. */
async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  progress: Progress,
  { maxBytes = Infinity, maxRatio = Infinity }: LoadOptions,
  name = 'the document',
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new LimitError('INPUT_TOO_LARGE', `${name} is longer than ${String(maxBytes)} bytes`);
    }
    if (bytes > RATIO_FROM_BYTES && bytes > (progress.bytesRead + CHUNK_UNDER_WAY) * maxRatio) {
      throw new LimitError('INPUT_TOO_LARGE', `${name} is compressed more than ${String(maxRatio)} to 1`);
    }
    yield chunk;
  }
}

/** The first bytes: enough to tell gzip by, where there are as many. */
async function beginning(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let start: Uint8Array = new Uint8Array(0);
  while (start.length < 2) {
    const next = await iterator.next();
    if (next.done) break;
    const joined = new Uint8Array(start.length + next.value.length);
    joined.set(start);
    joined.set(next.value, start.length);
    start = joined;
  }
  return start;
}

async function* rest(first: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  for (;;) {
    const next = await iterator.next();
    if (next.done) return;
    yield next.value;
  }
}

/** Tells the caller how far the load is; on a timer, so that long steps show too. */
class Progress {
  #counted = 0;
  #phase: LoadPhase = 'reading';
  #fraction = 0;
  #load: BulkLoader | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #failure: unknown;

  constructor(
    private readonly options: LoadOptions,
    readonly bytesTotal: number | undefined,
  ) {}

  /** Bytes of a chunk that has been dealt with. */
  count(bytes: number): void {
    this.#counted += bytes;
  }

  get bytesRead(): number {
    return this.options.bytesRead?.() ?? this.#counted;
  }

  start(load: BulkLoader): void {
    this.#load = load;
    if (this.options.onProgress === undefined) return;
    this.#emit();
    this.#timer = setInterval(() => this.#emit(), PROGRESS_MS);
  }

  enter(phase: LoadPhase): void {
    this.#phase = phase;
    this.#emit();
  }

  finish(): void {
    this.#phase = 'done';
    this.#fraction = 1;
    this.#emit();
    if (this.#failure !== undefined) throw this.#failure;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #emit(): void {
    const { onProgress } = this.options;
    if (onProgress === undefined || this.#failure !== undefined) return;
    const { bytesRead, bytesTotal } = this;
    const fraction = this.#phase === 'done' ? 1 : this.#estimate();
    try {
      const { quads, indexedShare } = this.#load ?? { quads: 0, indexedShare: 0 };
      onProgress({ phase: this.#phase, bytesRead, bytesTotal, quads, indexedShare, fraction });
    } catch (error) {
      // The caller's own mistake: it is told when the load is done, and not called again.
      this.#failure = error;
    }
  }

  // Bytes read, and of what was read the part that is indexed. Never falls.
  #estimate(): number | undefined {
    if (this.bytesTotal === undefined) return undefined;
    const read = this.bytesTotal === 0 ? 1 : Math.min(1, this.bytesRead / this.bytesTotal);
    const indexed = read * (this.#load?.indexedShare ?? 0);
    this.#fraction = Math.max(this.#fraction, READING_SHARE * read + INDEXING_SHARE * indexed);
    return this.#fraction;
  }
}
