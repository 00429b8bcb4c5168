/**
 * Browsers: gzip and deflate of requests by their standard streams. Replies stay in the browser, so they are not packed. Who serves there reads
 * documents of his own choice, in his own process, of which nothing is known.
 */
import type { BoundParser, Codecs, Process, Unpacking } from './platform.js';

const FORMATS: Readonly<Record<string, CompressionFormat>> = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate' };

/** Features of `/system` that there are not here: a browser has one user, and makes no backups. */
export const absentFeatures: ReadonlySet<string> = new Set(['accounts', 'all-repositories', 'backup', 'session']);

export const codecs: Codecs = {
  packs: [],
  unpacks: Object.keys(FORMATS),
  unpack: (body, coding, onBytes) => inflated(body, new DecompressionStream(FORMATS[coding]!), onBytes),
  packWhole: notPacked,
  packStream: notPacked,
};

export const untrusted: BoundParser = (format) => format;

export const serverProcess: Process | undefined = undefined;

function notPacked(): never {
  throw new Error('a browser packs no replies');
}

function inflated(
  body: AsyncIterable<Uint8Array>,
  { readable, writable }: DecompressionStream,
  onBytes: (bytes: number) => void,
): Unpacking {
  const writer = writable.getWriter();
  const reader = readable.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  let isClosed = false;
  const feeding = (async () => {
    for await (const chunk of body) {
      if (isClosed) return;
      onBytes(chunk.byteLength);
      await writer.ready;
      // Not awaited: the reader of the other end fails with it.
      writer.write(chunk as Uint8Array<ArrayBuffer>).catch(() => undefined);
    }
    await writer.close();
  })();
  // Aborting the writer makes the reader fail.
  feeding.catch((error: unknown) => writer.abort(error).catch(() => undefined));
  writer.closed.catch(() => undefined);
  const close = (): void => {
    isClosed = true;
    reader.cancel().catch(() => undefined);
  };
  return { bytes: chunksOf(reader), close };
}

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
