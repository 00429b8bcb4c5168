/** Compressed documents: told by their first bytes, gzip unpacked by what is best for the platform. */
import { platform } from '#platform';
import {
  gunzip as gunzipBy,
  type GunzipOptions,
  isGzip,
  type Packing,
  PACKING_BYTES,
  packingOf,
} from '@quadrille/formats';

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
  const { start, chunks } = await begun(iterator, 2);
  return { isPacked: isGzip(start), chunks };
}

/**
 * Reads enough of a document to tell how it is compressed, and gives all of it. Only files may be bzip2 and zstd: their blocks are unpacked in
 * this thread, each at once, which what strangers send must not cost a server.
 */
export async function withPacking(
  iterator: AsyncIterator<Uint8Array>,
  isFile: boolean,
): Promise<{ readonly packing: Packing | undefined; readonly chunks: AsyncGenerator<Uint8Array> }> {
  if (!isFile) {
    const { isPacked, chunks } = await withBeginning(iterator);
    return { packing: isPacked ? 'gzip' : undefined, chunks };
  }
  const { start, chunks } = await begun(iterator, PACKING_BYTES);
  return { packing: packingOf(start), chunks };
}

/** Unpacks a document. */
export async function* unpack(
  packing: Packing,
  source: AsyncIterable<Uint8Array>,
  options: Pick<GunzipOptions, 'source'> = {},
): AsyncGenerator<Uint8Array> {
  if (packing === 'gzip') return yield* gunzip(source, options);
  const { unpackBzip2, unpackZstd } = await import('@quadrille/formats/packing');
  yield* packing === 'bzip2' ? unpackBzip2(source, options) : unpackZstd(source, options);
}

async function begun(
  iterator: AsyncIterator<Uint8Array>,
  bytes: number,
): Promise<{ readonly start: Uint8Array; readonly chunks: AsyncGenerator<Uint8Array> }> {
  let start: Uint8Array = new Uint8Array(0);
  while (start.length < bytes) {
    const next = await iterator.next();
    if (next.done === true) break;
    const joined = new Uint8Array(start.length + next.value.length);
    joined.set(start);
    joined.set(next.value, start.length);
    start = joined;
  }
  return { start, chunks: resumed(start, iterator) };
}

async function* resumed(start: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (start.length > 0) yield start;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
