/** gzip by what is best for the platform. */
import { platform } from '#platform';
import { gunzip as gunzipBy, type GunzipOptions } from '@quadrille/formats';

/** As that of the formats. */
export async function* gunzip(
  source: AsyncIterable<Uint8Array>,
  options: Pick<GunzipOptions, 'source'> = {},
): AsyncGenerator<Uint8Array> {
  yield* gunzipBy(source, { ...options, createStream: await platform.gunzipStream() });
}
