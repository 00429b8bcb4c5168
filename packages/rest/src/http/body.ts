/** Reads the body of a request: decompressed, with a limited length, as bytes, text, a form or JSON. */
import { badRequest, HttpError } from '@quadrille/http';
import { unpacked } from './compression.js';
import type { Context } from '../context.js';
import type { HttpRequest } from './request.js';
import type { Service } from '../service.js';

export const MAX_RDF_BYTES = 2 * 1024 ** 3;
export const MAX_QUERY_BYTES = 1024 ** 2;
export const MAX_METADATA_BYTES = 64 * 1024;

/** The media type of a request in lower case, without its parameters; `undefined` if the request has none. */
export function mediaTypeOf(request: HttpRequest): string | undefined {
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  return type === '' ? undefined : type;
}

/** The decompressed bytes of a body, at most `limit`. `onReceived` gets the number of compressed bytes of each chunk. */
export async function* bodyBytes(
  request: HttpRequest,
  limit: number,
  onReceived?: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  refuseLength(request, limit);
  const body = unpacked(request, onReceived);
  if (body === null) return;
  let total = 0;
  try {
    for await (const chunk of body) {
      total += chunk.byteLength;
      if (total > limit) throw tooLong(limit);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof HttpError) throw error;
    // The compressed body is damaged, or the client has disconnected.
    throw badRequest(`the body could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const tooLong = (limit: number): HttpError =>
  new HttpError('PAYLOAD_TOO_LARGE', `the body is longer than ${String(limit)} bytes`);

/**
 * The bytes of a body that is held in memory until it is committed: at most `transactionBytes` of the limits, and
 * `openTransactionsBytes` of all requests together. They are counted until the request is answered. `onHeld` gets the length of
 * each chunk and may throw to refuse it.
 * @throws HttpError 413; AccessError `RATE_LIMITED`
 */
export async function* heldBytes(
  { hosted }: Pick<Service, 'hosted'>,
  context: Context,
  onHeld?: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const limit = hosted.limits.transactionBytes;
  try {
    for await (const chunk of bodyBytes(context.request, limit)) {
      context.hold(hosted.heldDocuments, chunk.byteLength);
      onHeld?.(chunk.byteLength);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof HttpError && error.status === 413 ? tooMuchHeld(limit) : error;
  }
}

export const tooMuchHeld = (limit: number): HttpError =>
  new HttpError(
    'PAYLOAD_TOO_LARGE',
    `transactions, PATCH, patches and bodies of several documents are held in memory: ${String(limit)} bytes at most. ` +
      'Send a longer document alone, as the body of a POST or PUT of statements, which has no such limit',
  );

/** Refuses a body by its announced length before it is read. */
function refuseLength(request: HttpRequest, limit: number): void {
  if (Number(request.headers.get('Content-Length') ?? 0) > limit) throw tooLong(limit);
}

/** The whole body as UTF-8 text. */
export async function bodyText(request: HttpRequest, limit: number): Promise<string> {
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
export async function bodyForm(request: HttpRequest, limit: number): Promise<URLSearchParams> {
  return new URLSearchParams(await bodyText(request, limit));
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest('the body is not JSON');
  }
}
