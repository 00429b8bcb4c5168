/** The body of an answer: decompressed, counted, and read only as fast as the reader asks. */
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { DecompressionGuard, FetchError, QuadrilleError } from '@quadrille/model';
import type { Deadline } from './deadline.js';
import type { FetchLimits } from './options.js';

const CHUNK_BYTES = 64 * 1024;

const DECODERS = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  'x-gzip': () => createGunzip({ chunkSize: CHUNK_BYTES }),
  deflate: () => createInflate({ chunkSize: CHUNK_BYTES }),
  br: () => createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
};

export interface Body {
  readonly stream: Readable;
  /** Compressed bytes that were decompressed so far; `undefined` for what came as it is. */
  readonly bytesIn: () => number | undefined;
}

/**
 * The body as it has to be read, not yet read.
 * @throws FetchError `FETCH_TOO_LARGE` where its length says so, `FETCH_FAILED` for an encoding that the request did not accept.
 */
export function openBody(message: IncomingMessage, host: string, limits: FetchLimits): Body {
  const length = Number(message.headers['content-length'] ?? 0);
  if (length > limits.maxBytes) throw tooLarge(host, limits.maxBytes);
  const encoding = (message.headers['content-encoding'] ?? '').trim().toLowerCase();
  const empty = message.statusCode === 204 || message.statusCode === 304 || message.headers['content-length'] === '0';
  if (encoding === '' || encoding === 'identity' || empty) return { stream: message, bytesIn: () => undefined };
  // A list, such as "gzip, gzip", is not among them.
  if (!Object.hasOwn(DECODERS, encoding)) {
    throw new FetchError('FETCH_FAILED', `${host} answered in a content encoding that is not known`, {
      details: { host },
    });
  }
  const decoder = DECODERS[encoding as keyof typeof DECODERS]();
  // Compressed bytes count too: a header of gzip can go on for ever without giving any content.
  pipeline(
    message,
    (source: AsyncIterable<Uint8Array>) => capped(source, host, limits.maxBytes),
    decoder,
    () => undefined,
  );
  return { stream: decoder, bytesIn: () => decoder.bytesWritten };
}

async function* capped(source: AsyncIterable<Uint8Array>, host: string, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(host, maxBytes);
    yield chunk;
  }
}

/** Reads a body within its limits. Ends the fetch when it is done, failed, or left. */
export async function* readBody(
  { stream, bytesIn }: Body,
  host: string,
  limits: FetchLimits,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  const { maxBytes, maxRatio, idleMs } = limits;
  const iterator: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  const guard = new DecompressionGuard(limits);
  try {
    for (;;) {
      // Only waiting counts as idle: a slow reader is not the server's fault.
      const { done, value } = await deadline.within(iterator.next(), idleMs, 'the next piece of an answer');
      if (done === true) return;
      const exceeded = guard.exceeded(value.length, bytesIn());
      if (exceeded === 'length') throw tooLarge(host, maxBytes);
      if (exceeded === 'ratio') {
        throw new FetchError('FETCH_TOO_LARGE', `the answer of ${host} is compressed more than ${maxRatio} to 1`, {
          details: { host },
        });
      }
      yield value;
    }
  } catch (error) {
    throw deadline.reasonFor(error, (cause) => fetchFailed(host, cause));
  } finally {
    stream.destroy();
    deadline.end();
  }
}

function tooLarge(host: string, maxBytes: number): FetchError {
  return new FetchError('FETCH_TOO_LARGE', `the answer of ${host} is longer than ${maxBytes} bytes`, {
    details: { host },
  });
}

/** An error of the network as one of ours. Its own message may tell addresses and stays in the cause; its code does not. */
export function fetchFailed(host: string, cause: unknown): Error {
  if (cause instanceof QuadrilleError) return cause;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
  return new FetchError('FETCH_FAILED', `the fetch from ${host} failed${code}`, { cause, details: { host } });
}
