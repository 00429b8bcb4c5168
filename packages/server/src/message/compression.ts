/** Content codings: decompresses bodies of requests within limits, and compresses replies while they are streamed. */
import { codecs } from '#server-platform';
import { HttpError } from '../http/index.js';
import { DecompressionGuard } from '@quadrille/model';
import type { Coding } from '../platform/platform.js';
import { elementsOf, qualityOf } from './header-list.js';
import { lengthOf, Reply } from './reply.js';
import type { HttpRequest, RequestHeaders } from './request.js';

const MAX_RATIO = 200;
/** Smaller replies are not compressed. */
const MIN_BYTES = 1024;

/**
 * The decompressed bytes of a request body. A ratio of more than 200 after the first megabyte is refused.
 * @throws HttpError 415 for a coding that is not known, or several; 413 for too high a ratio
 */
export function unpacked(
  headers: RequestHeaders,
  body: HttpRequest['body'],
  onReceived: (bytes: number) => void = () => undefined,
): AsyncIterable<Uint8Array> | null {
  const coding = headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return body === null ? null : received(body, onReceived);
  if (codecs.unpacks.includes(coding)) return body === null ? null : inflate(body, coding, onReceived);
  throw new HttpError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Content-Encoding ${coding.slice(0, 100)} is not known; use one of ${codecs.unpacks.join(', ')}`,
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
  coding: string,
  onReceived: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const guard = new DecompressionGuard({ maxRatio: MAX_RATIO });
  let bytesIn = 0;
  const onBytes = (bytes: number): void => {
    bytesIn += bytes;
    onReceived(bytes);
  };
  const source = codecs.unpack(body, coding, onBytes);
  try {
    for await (const chunk of source.bytes) {
      if (guard.exceeded(chunk.byteLength, bytesIn) !== undefined) {
        throw new HttpError('PAYLOAD_TOO_LARGE', `the body unpacks to more than ${String(MAX_RATIO)} times its size`);
      }
      yield chunk;
    }
  } finally {
    source.close();
  }
}

/** The coding that the client prefers; `undefined` for none. */
export function acceptedCoding(request: HttpRequest): Coding | undefined {
  const accept = request.headers.get('Accept-Encoding');
  return accept === null ? undefined : bestCoding(accept);
}

function bestCoding(accept: string): Coding | undefined {
  const qualities = new Map<string, number>();
  for (const element of elementsOf(accept.toLowerCase())) {
    qualities.set(element.value === 'x-gzip' ? 'gzip' : element.value, qualityOf(element) ?? 0);
  }
  let best: Coding | undefined;
  let bestQuality = qualities.get('identity') ?? 0;
  for (const coding of codecs.packs) {
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
  const made = body instanceof ReadableStream ? codecs.packStream(body, coding) : await codecs.packWhole(body, coding);
  return new Reply(made, { status, headers });
}
