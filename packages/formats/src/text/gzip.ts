/** gzip through the streams of the web platform, which Node.js and browsers share. */
import { ParseError } from '@quadrille/model';

/** Options of {@link gunzip}. */
export interface GunzipOptions {
  /** Name of the document for error messages. */
  readonly source?: string | undefined;
  /** The stream that decompresses. Default: the platform's, which emits 16 KB at a time in Node.js. */
  readonly createStream?: (() => ByteTransform) | undefined;
}

/** A stream that turns bytes into other bytes. */
export interface ByteTransform {
  /** What comes out. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What goes in. */
  readonly writable: WritableStream<Uint8Array>;
}

/** Whether a document starts as a gzip file does. Needs its first two bytes. */
export function isGzip(firstBytes: Uint8Array): boolean {
  return firstBytes.length >= 2 && firstBytes[0] === 0x1f && firstBytes[1] === 0x8b;
}

/**
 * Decompresses a gzip file. Streams of browsers, and of Node.js from some 24 on, refuse files with several members. Give it `createStream` where such files
 * come. Leaving the iteration early closes the source.
 * @throws ParseError `RDF_SYNTAX` for a truncated or corrupt file, through the iterator. An error of the source comes
 * through as it is.
 */
export function gunzip(source: AsyncIterable<Uint8Array>, options: GunzipOptions = {}): AsyncIterable<Uint8Array> {
  return transform(
    source,
    options.createStream ?? (() => byteStreams(new DecompressionStream('gzip'))),
    options.source,
  );
}

/** Compresses the source to a gzip file. Leaving the iteration early closes the source. */
export function gzip(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return transform(source, () => byteStreams(new CompressionStream('gzip')), undefined);
}

// Declared as taking any BufferSource and giving `any`.
const byteStreams = (stream: DecompressionStream | CompressionStream): ByteTransform =>
  stream as unknown as ByteTransform;

async function* transform(
  source: AsyncIterable<Uint8Array>,
  create: () => ByteTransform,
  name: string | undefined,
): AsyncIterable<Uint8Array> {
  const { readable, writable } = create();
  const feeder = new Feeder(source, writable);
  const fed = feeder.run();
  const reader = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
  } catch (error) {
    // If the source failed, the stream failed with the same error.
    await fed;
    throw feeder.failure === undefined ? corrupt(error, name) : feeder.failure.error;
  } finally {
    await feeder.stop();
    await reader.cancel().catch(() => {});
  }
  await fed;
  if (feeder.failure !== undefined) throw feeder.failure.error;
}

/** Writes a source into a stream until the source ends or fails, or until {@link stop} is called. */
class Feeder {
  /** The error of the source. */
  failure: { readonly error: unknown } | undefined;
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #stopped = false;

  constructor(source: AsyncIterable<Uint8Array>, writable: WritableStream<Uint8Array>) {
    this.#iterator = source[Symbol.asyncIterator]();
    this.#writer = writable.getWriter();
    // The reader gets the failure of the stream. Without this handler it would also be an unhandled rejection.
    this.#writer.closed.catch(() => {});
  }

  async run(): Promise<void> {
    while (!this.#stopped) {
      const chunk = await this.#next();
      if (this.#stopped) return;
      try {
        if (chunk === undefined) {
          this.#stopped = true;
          if (this.failure === undefined) await this.#writer.close();
          else await this.#writer.abort(this.failure.error);
        } else await this.#writer.write(chunk);
      } catch {
        return this.stop();
      }
    }
  }

  /** Stops writing, and closes the source if it has not ended. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#writer.abort().catch(() => {});
    await this.#iterator.return?.();
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.#iterator.next();
      return done === true ? undefined : value;
    } catch (error) {
      this.failure = { error };
      return undefined;
    }
  }
}

// Each platform has its own message; Node.js 22 puts it into the cause.
function corrupt(error: unknown, source: string | undefined): ParseError {
  const inner: unknown = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = inner instanceof Error ? inner.message : String(inner);
  const isTruncated = /unexpected end|incomplete|truncated/i.test(message);
  const reason = isTruncated ? 'truncated gzip data' : 'corrupt gzip data';
  return new ParseError('RDF_SYNTAX', `${reason}: ${message}`, { source }, { cause: error });
}
