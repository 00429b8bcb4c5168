/** Content codings: decompresses bodies of requests within limits, and compresses replies while they are streamed. */
import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createDeflate,
  createGunzip,
  createGzip,
  createInflate,
} from 'node:zlib';
import { HttpError } from '@quadrille/http';
import { DecompressionGuard } from '@quadrille/model';
import { lengthOf, Reply } from './reply.js';
import type { HttpRequest } from './request.js';
import { untilDrained } from './until-drained.js';

export type Coding = 'gzip' | 'deflate' | 'br';

const MAX_RATIO = 200;
/** Smaller replies are not compressed. */
const MIN_BYTES = 1024;
/** If the source pauses for this time, the compressed bytes so far are flushed to the client. */
const FLUSH_MS = 50;

/** Large pieces, because each piece takes a turn of the event loop. */
const LARGE_PIECES = { chunkSize: 128 * 1024, highWaterMark: 256 * 1024 };

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(LARGE_PIECES),
  'x-gzip': () => createGunzip(LARGE_PIECES),
  deflate: () => createInflate(LARGE_PIECES),
  br: () => createBrotliDecompress(LARGE_PIECES),
};
const PACKERS: Readonly<Record<Coding, () => Transform>> = {
  gzip: () => createGzip({ level: 4 }),
  deflate: () => createDeflate({ level: 4 }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

/**
 * The decompressed bytes of a request body. A ratio of more than 200 after the first megabyte is refused.
 * @throws HttpError 415 for a coding that is not known, or several; 413 for too high a ratio
 */
export function unpacked(
  request: HttpRequest,
  onReceived: (bytes: number) => void = () => undefined,
): AsyncIterable<Uint8Array> | null {
  const coding = request.headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  const unpacker = coding === '' || coding === 'identity' ? undefined : UNPACKERS[coding];
  if (unpacker !== undefined) return request.body === null ? null : inflate(request.body, unpacker(), onReceived);
  if (coding === '' || coding === 'identity') return request.body === null ? null : received(request.body, onReceived);
  throw new HttpError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Content-Encoding ${coding.slice(0, 100)} is not known; use one of ${Object.keys(UNPACKERS).join(', ')}`,
  );
}

async function* received(
  body: AsyncIterable<Uint8Array>,
  onReceived: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    onReceived(chunk.byteLength);
    yield chunk;
  }
}

async function* inflate(
  body: AsyncIterable<Uint8Array>,
  codec: Transform,
  onReceived: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const guard = new DecompressionGuard({ maxRatio: MAX_RATIO });
  let bytesIn = 0;
  const feeding = (async () => {
    for await (const chunk of body) {
      if (codec.destroyed) return;
      bytesIn += chunk.byteLength;
      onReceived(chunk.byteLength);
      if (!codec.write(chunk)) await untilDrained(codec);
    }
    codec.end();
  })();
  feeding.catch((error: unknown) => codec.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    for await (const chunk of codec as AsyncIterable<Uint8Array>) {
      if (guard.exceeded(chunk.byteLength, bytesIn) !== undefined) {
        throw new HttpError('PAYLOAD_TOO_LARGE', `the body unpacks to more than ${String(MAX_RATIO)} times its size`);
      }
      yield chunk;
    }
  } finally {
    codec.destroy();
  }
}

/** The coding that the client prefers; `undefined` for none. */
export function acceptedCoding(request: HttpRequest): Coding | undefined {
  const accept = request.headers.get('Accept-Encoding');
  return accept === null ? undefined : bestCoding(accept);
}

function bestCoding(accept: string): Coding | undefined {
  const qualities = new Map<string, number>();
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    qualities.set(name === 'x-gzip' ? 'gzip' : name, quality === undefined ? 1 : Number(quality) || 0);
  }
  let best: Coding | undefined;
  let bestQuality = qualities.get('identity') ?? 0;
  for (const coding of ['gzip', 'br', 'deflate'] as const) {
    const quality = qualities.get(coding) ?? qualities.get('*') ?? 0;
    if (quality > 0 && (best === undefined ? quality >= bestQuality : quality > bestQuality)) {
      best = coding;
      bestQuality = quality;
    }
  }
  return best;
}

/** A feed mostly waits: a codec for each would hold memory, and delay short events. */
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:[^;]*(?:json|xml|triples|quads|turtle|trig|trix|sparql|link-format|patch)))/i;

/** The coding to use for a reply; `undefined` if the client wants none, or if the body is too short or not compressible. */
export function codingFor(request: HttpRequest, { body, headers }: Reply): Coding | undefined {
  const coding = acceptedCoding(request);
  if (coding === undefined || body === null || headers.has('Content-Encoding')) return undefined;
  if (!COMPRESSIBLE.test(headers.get('Content-Type') ?? '')) return undefined;
  const length = lengthOf(body);
  return length !== undefined && length < MIN_BYTES ? undefined : coding;
}

/** The reply with its body in a coding. */
export async function packed({ body, headers, status }: Reply, coding: Coding): Promise<Reply> {
  if (body === null) throw new Error('there is nothing to pack');
  headers.set('Content-Encoding', coding);
  headers.delete('Content-Length');
  const tag = headers.get('ETag');
  if (tag?.endsWith('"') === true) headers.set('ETag', `${tag.slice(0, -1)}-${coding}"`);
  const codec = PACKERS[coding]();
  return new Reply(
    body instanceof ReadableStream ? deflated(body.getReader(), codec) : await deflatedWhole(body, codec),
    { status, headers },
  );
}

/** Node.js runs the codec in its thread pool. */
async function deflatedWhole(body: string | Uint8Array, codec: Transform): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  codec.end(body);
  for await (const chunk of codec as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The result of a promise; `undefined` after `timeMs`. */
function within<T>(promise: Promise<T>, timeMs: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), timeMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Streams a body through a codec, one chunk at a time. The codec is flushed when the source is slow. */
function deflated(reader: ReadableStreamDefaultReader<Uint8Array>, codec: Transform): ReadableStream<Uint8Array> {
  const ready: Uint8Array[] = [];
  codec.on('data', (chunk: Uint8Array) => ready.push(chunk));
  let pending: Promise<ReadableStreamReadResult<Uint8Array>> | undefined;
  let flushed = true;
  const state = { over: false };
  const write = (chunk: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      flushed = false;
      codec.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
  const flush = (): Promise<void> =>
    new Promise((resolve) => {
      flushed = true;
      (codec as Transform & { flush(done: () => void): void }).flush(resolve);
    });
  const end = (): Promise<void> =>
    new Promise((resolve, reject) => {
      state.over = true;
      codec.once('end', resolve).once('error', reject).end();
    });
  async function step(): Promise<void> {
    pending ??= reader.read();
    const result = flushed ? await pending : await within(pending, FLUSH_MS);
    if (result === undefined) return flush();
    pending = undefined;
    return result.done ? end() : write(result.value);
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // The source may fail while nobody reads.
        reader.closed.catch((error: unknown) => {
          codec.destroy();
          controller.error(error);
        });
      },
      async pull(controller) {
        while (ready.length === 0 && !state.over) await step();
        for (const chunk of ready.splice(0)) controller.enqueue(chunk);
        if (state.over) controller.close();
      },
      async cancel(reason) {
        codec.destroy();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
