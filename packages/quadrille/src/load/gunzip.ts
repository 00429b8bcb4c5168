/** gzip: told by the first bytes of a document, unpacked by what is best for the platform. */
import { platform } from '#platform';
import { gunzip as gunzipBy, type GunzipOptions, isGzip } from '@quadrille/formats';

/** Unpacks like that of the formats. */
export async function* gunzip(
  source: AsyncIterable<Uint8Array>,
  options: Pick<GunzipOptions, 'source'> = {},
): AsyncGenerator<Uint8Array> {
  yield* gunzipBy(source, { ...options, createStream: await platform.gunzipStream() });
}

/** Reads enough of a document to tell whether it is a gzip file, and gives all of it. */
export async function withBeginning(
  iterator: AsyncIterator<Uint8Array>,
): Promise<{ readonly isPacked: boolean; readonly chunks: AsyncGenerator<Uint8Array> }> {
  let start: Uint8Array = new Uint8Array(0);
  while (start.length < 2) {
    const next = await iterator.next();
    if (next.done === true) break;
    const joined = new Uint8Array(start.length + next.value.length);
    joined.set(start);
    joined.set(next.value, start.length);
    start = joined;
  }
  return { isPacked: isGzip(start), chunks: resumed(start, iterator) };
}

async function* resumed(start: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (start.length > 0) yield start;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
