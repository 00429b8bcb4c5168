/** gzip with large pieces where Node.js is there: each piece costs a turn of the event loop, however busy that is. */
import { type ByteTransform, gunzip as gunzipBy, type GunzipOptions } from '@quadrille/formats';

const PIECE_BYTES = 256 * 1024;

/** As that of the formats. */
export async function* gunzip(
  source: AsyncIterable<Uint8Array>,
  options: Pick<GunzipOptions, 'source'> = {},
): AsyncGenerator<Uint8Array> {
  yield* gunzipBy(source, { ...options, createStream: await nodeGunzip() });
}

async function nodeGunzip(): Promise<GunzipOptions['createStream']> {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  if (process?.versions?.node === undefined) return undefined;
  const { createGunzip } = await import('node:zlib');
  const { Duplex } = await import('node:stream');
  return () => Duplex.toWeb(createGunzip({ chunkSize: PIECE_BYTES })) as ByteTransform;
}
