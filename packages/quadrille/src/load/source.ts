/** Where a load reads from: a file, bytes, a text or a stream, as chunks of bytes with what is known beforehand. */
import { platform } from '#platform';
import { InvalidArgumentError } from '@quadrille/model';
import type { LoadSource, ReopenedSource } from '../api/index.js';

export interface OpenSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** All of it, where it is in memory. */
  readonly bytes?: Uint8Array;
  /** Bytes in all, where known. */
  readonly length: number | undefined;
  /** Named in errors. */
  readonly name: string | undefined;
  /** A name whose extension may tell the format. */
  readonly fileName: string | undefined;
  /** The base of relative IRIs, unless the caller gives one. */
  readonly iri?: string;
  /** Call it when all chunks so far are done with: their memory may be filled anew. Without it each has memory of its own. */
  readonly release?: () => void;
}

const CHUNK_BYTES = 256 * 1024;

export async function openSource(source: LoadSource): Promise<OpenSource> {
  if (typeof source === 'string' || source instanceof URL) return platform.openFile(source);
  if (source instanceof Uint8Array) return inMemory(source);
  if (typeof source === 'function') return streamed(reopened(source));
  if (typeof source === 'object' && source !== null) {
    if ('text' in source && typeof source.text === 'string') return inMemory(new TextEncoder().encode(source.text));
    if (Symbol.asyncIterator in source) return streamed(source);
    if (source instanceof ReadableStream) return streamed(readerChunks(source));
  }
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    'a source to load is a path, a file URL, bytes, { text }, a stream of bytes, or a function that opens one',
  );
}

function inMemory(bytes: Uint8Array): OpenSource {
  return {
    // Made where it is asked for: most bytes are read without it.
    get chunks() {
      return inTurn(sliced(bytes));
    },
    bytes,
    length: bytes.length,
    name: undefined,
    fileName: undefined,
  };
}

async function* inTurn(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** The number of attempts to open a stream again without receiving a byte. */
const MOST_FAILURES = 6;
const FIRST_PAUSE_MS = 50;

async function* reopened(open: ReopenedSource): AsyncGenerator<unknown> {
  let offset = 0;
  for (let failures = 0; ;) {
    try {
      const stream = await open(offset);
      for await (const chunk of stream instanceof ReadableStream ? readerChunks(stream) : stream) {
        offset += (chunk as Uint8Array | undefined)?.length ?? 0;
        failures = 0;
        yield chunk;
      }
      return;
    } catch (error) {
      if (++failures === MOST_FAILURES) throw error;
      const pause = FIRST_PAUSE_MS * 2 ** failures;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

function streamed(stream: AsyncIterable<unknown>): OpenSource {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      if (typeof chunk === 'string') yield new TextEncoder().encode(chunk);
      else if (chunk instanceof Uint8Array) yield* sliced(chunk);
      else throw new InvalidArgumentError('INVALID_OPTION', 'a stream to load must give bytes (Uint8Array)');
    }
  }
  return { chunks: chunks(), length: undefined, name: undefined, fileName: undefined };
}

// A huge chunk would be parsed in one stretch.
export function* sliced(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += CHUNK_BYTES) yield chunk.subarray(at, at + CHUNK_BYTES);
}

async function* readerChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The same chunks; the memory of each one may be filled anew when the next one is asked for. */
export async function* released(
  chunks: AsyncIterable<Uint8Array>,
  release: (() => void) | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    release?.();
  }
}
