/** The codecs of Node.js, which run in its thread pool. */
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
import { untilDrained } from '../message/until-drained.js';
import type { Codecs, Coding, Unpacking } from './platform.js';

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

export const nodeCodecs: Codecs = {
  packs: ['gzip', 'br', 'deflate'],
  unpacks: Object.keys(UNPACKERS),
  unpack: (body, coding, onBytes) => inflated(body, UNPACKERS[coding]!(), onBytes),
  packWhole: (body, coding) => deflatedWhole(body, PACKERS[coding]()),
  packStream: (body, coding) => deflated(body.getReader(), PACKERS[coding]()),
};

function inflated(body: AsyncIterable<Uint8Array>, codec: Transform, onBytes: (bytes: number) => void): Unpacking {
  const feeding = (async () => {
    for await (const chunk of body) {
      if (codec.destroyed) return;
      onBytes(chunk.byteLength);
      if (!codec.write(chunk)) await untilDrained(codec);
    }
    codec.end();
  })();
  feeding.catch((error: unknown) => codec.destroy(error instanceof Error ? error : new Error(String(error))));
  return { bytes: codec as AsyncIterable<Uint8Array>, close: () => void codec.destroy() };
}

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
