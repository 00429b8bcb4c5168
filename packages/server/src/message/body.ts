/** Reads the body of a request: decompressed, with a limited length, as bytes, text, a form or JSON. */
import { badRequest, HttpError } from '../http/index.js';
import { LimitError, QuadrilleError } from '@quadrille/model';
import { platform, stoppable } from '../host/index.js';
import { unpacked } from './compression.js';
import type { Context } from '../context.js';
import { requireEncoding } from './encoding.js';
import { elementOf, typeOf } from './header-list.js';
import type { HttpRequest } from './request.js';
import { mayAccess, type Service } from '../service.js';

export const MAX_RDF_BYTES = 2 * 1024 ** 3;
export const MAX_QUERY_BYTES = 1024 ** 2;
export const MAX_METADATA_BYTES = 64 * 1024;

export const FORM = 'application/x-www-form-urlencoded';

/** The media type of a request in lower case, without its parameters; `undefined` if the request has none. */
export const mediaTypeOf = (request: HttpRequest): string | undefined => typeOf(request.headers.get('Content-Type'));

/** Bytes of a body that have to come each second, once it takes longer than its sender may wait. So its whole time is limited. */
const MIN_RATE = 16 * 1024;
/** Ends with the body. The connection ends a body whose sender has gone. */
const NEVER = new AbortController().signal;

/** The decompressed bytes of a body that is held in memory, at most `limit`. @throws HttpError 413; LimitError `INPUT_TIMEOUT` */
export async function* bodyBytes(request: HttpRequest, limit: number): AsyncGenerator<Uint8Array, void, undefined> {
  const { care } = request;
  for await (const chunk of streamedBytes(request, limit, undefined, timedBody(request))) {
    care?.hold(chunk.byteLength);
    yield chunk;
  }
}

/** A body that has arrived, is not packed and has at most `limit` bytes; `undefined` where it has to be read in another way. */
export function arrivedBody(request: HttpRequest, limit: number): Uint8Array | undefined {
  const { headers } = request;
  if (headers.has('Content-Encoding') || Number(headers.get('Content-Length') ?? 0) > limit) return undefined;
  const bytes = request.arrived?.();
  if (bytes !== undefined && bytes.length > limit) throw tooLong(limit);
  return bytes;
}

/** The same of a body that is held in memory. */
function heldBody(request: HttpRequest, limit: number): Uint8Array | undefined {
  const bytes = arrivedBody(request, limit);
  if (bytes !== undefined) request.care?.hold(bytes.length);
  return bytes;
}

/** A body as it was sent, which has to come in time. @throws LimitError `INPUT_TIMEOUT` */
export function timedBody({ body, care }: HttpRequest): AsyncIterable<Uint8Array> | null {
  if (care === undefined || body === null) return body;
  return stoppable(body, NEVER, { idleMs: care.idleMs, minRate: MIN_RATE, what: 'body' });
}

/** The whole body that {@link bodyBytes} gives. */
export async function bodyWhole(request: HttpRequest, limit: number): Promise<Uint8Array> {
  const arrived = heldBody(request, limit);
  if (arrived !== undefined) return arrived;
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyBytes(request, limit)) chunks.push(chunk.slice());
  return platform.concat(chunks);
}

/** The same of a body that is not held. `onReceived` gets the number of compressed bytes of each chunk. */
export async function* streamedBytes(
  request: HttpRequest,
  limit: number,
  onReceived?: (bytes: number) => void,
  sent = request.body,
): AsyncGenerator<Uint8Array, void, undefined> {
  refuseLength(request, limit);
  const body = unpacked(request.headers, sent, onReceived);
  if (body === null) return;
  let total = 0;
  try {
    for await (const chunk of body) {
      total += chunk.byteLength;
      if (total > limit) throw tooLong(limit);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof HttpError || error instanceof LimitError) throw error;
    // The compressed body is damaged, or the client has disconnected.
    throw badRequest(`the body could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * The longest body that may be an update: it may be longer than a query, if its sender may write here.
 * @throws what the check of rights throws, other than a refusal
 */
export async function textLimit(service: Service, context: Context): Promise<number> {
  const { headers } = context.request;
  const isShort =
    Number(headers.get('Content-Length') ?? Number.NaN) <= MAX_QUERY_BYTES && !headers.has('Content-Encoding');
  if (isShort || !(await mayAccess(service, context, 'write', undefined))) return MAX_QUERY_BYTES;
  return Math.max(MAX_QUERY_BYTES, service.hosted.limits.updateBytes);
}

export const tooLong = (limit: number): HttpError =>
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

/** Of whole texts: making a decoder takes as long as parsing a short query. */
const wholeText = new TextDecoder('utf-8', { fatal: true });

/** The whole body as UTF-8 text. */
export async function bodyText(request: HttpRequest, limit: number): Promise<string> {
  let text = '';
  try {
    const arrived = heldBody(request, limit);
    if (arrived !== undefined) return wholeText.decode(arrived);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const chunk of bodyBytes(request, limit)) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof HttpError || error instanceof QuadrilleError) throw error;
    throw badRequest('the body is not UTF-8');
  }
}

/** The fields of a form. @throws HttpError `INVALID_ENCODING` for bytes that are not UTF-8; 413, 415 */
export async function bodyForm(request: HttpRequest, limit: number): Promise<URLSearchParams> {
  requireUtf8(request);
  return formOf(await bodyText(request, limit));
}

/** The fields of the text of a form. @throws HttpError `INVALID_ENCODING` */
export function formOf(text: string): URLSearchParams {
  requireEncoding(text, 'the form');
  return new URLSearchParams(text);
}

/** Refuses charsets other than UTF-8. @throws HttpError 415 */
export function requireUtf8(request: HttpRequest): void {
  const charset = elementOf(request.headers.get('Content-Type'))?.parameters.get('charset');
  if (charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset)) return;
  throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `texts are sent as UTF-8, not as ${charset.slice(0, 50)}`);
}

/** The value of a JSON body. @throws HttpError 415 without `application/json`, which a page of another site cannot send unasked */
export async function bodyJson(request: HttpRequest, limit: number): Promise<unknown> {
  requireJson(request);
  return parseJson(await bodyText(request, limit));
}

/** @throws HttpError 415 */
export function requireJson(request: HttpRequest): void {
  if (mediaTypeOf(request) === 'application/json') return;
  throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'the body is JSON: send it with Content-Type: application/json');
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest('the body is not JSON');
  }
}
