/** The body of a request: decoded, counted, and read as text or as a form. */
import { badRequest, HttpError } from './http-error.js';

export const MAX_RDF_BYTES = 2 * 1024 ** 3;
export const MAX_QUERY_BYTES = 1024 ** 2;
export const MAX_METADATA_BYTES = 64 * 1024;

/** The media type of a request in lower case, without its parameters; `undefined` where it names none. */
export function mediaTypeOf(request: Request): string | undefined {
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  return type === '' ? undefined : type;
}

/** The bytes of a body, unpacked, at most `limit` of them. */
export async function* bodyBytes(request: Request, limit: number): AsyncGenerator<Uint8Array, void, undefined> {
  const body = unpacked(request);
  if (body === null) return;
  const reader = body.getReader();
  let total = 0;
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await readChunk(reader);
      if (done || value === undefined) break;
      total += value.byteLength;
      if (total > limit) throw new HttpError('PAYLOAD_TOO_LARGE', `the body is longer than ${String(limit)} bytes`);
      yield value;
    }
    ended = true;
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
  }
}

async function readChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<{ done: boolean; value?: Uint8Array }> {
  try {
    const { done, value } = await reader.read();
    return value === undefined ? { done } : { done, value };
  } catch (error) {
    // A damaged gzip body, or a client that went away in the middle: nothing of it may be kept.
    throw badRequest(`the body could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function unpacked(request: Request): ReadableStream<Uint8Array> | null {
  const encoding = request.headers.get('Content-Encoding')?.trim().toLowerCase() ?? 'identity';
  const { body } = request;
  if (body === null || encoding === 'identity' || encoding === '') return body;
  const format = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate' }[encoding] as 'gzip' | 'deflate' | undefined;
  if (format === undefined) {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `Content-Encoding ${encoding} is not known; use gzip or deflate`);
  }
  return body.pipeThrough(new DecompressionStream(format) as ReadableWritablePair<Uint8Array, Uint8Array>);
}

/** The whole body as UTF-8 text. */
export async function bodyText(request: Request, limit: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for await (const chunk of bodyBytes(request, limit)) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw badRequest('the body is not UTF-8');
  }
}

/** The parameters of a form body. */
export async function bodyForm(request: Request, limit: number): Promise<URLSearchParams> {
  return new URLSearchParams(await bodyText(request, limit));
}
