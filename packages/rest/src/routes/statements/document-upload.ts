/** The document of a request: its body, a file of a form, or the document of an address. */
import { badRequest, HttpError } from '@quadrille/http';
import { InvalidArgumentError, LimitError } from '@quadrille/model';
import type { BodySource, ImportSource } from '@quadrille/service';
import { bodyBytes, MAX_METADATA_BYTES, MAX_QUERY_BYTES } from '../../http/body.js';
import { multipartParts, type Part } from '../../http/multipart.js';
import { fieldText } from '../../http/multipart-fields.js';
import type { HttpRequest } from '../../http/request.js';
import { JSON_LD_PARAMETERS } from '../../parameters/document-options.js';

export interface Upload {
  readonly source: ImportSource;
  /** Of the address and of the form, if there is one. */
  readonly parameters: URLSearchParams;
}

/** The part of a file that is held in memory, to read the fields after a shorter file. */
const HELD_BYTES = 256 * 1024;
/** Fields that are refused after a longer file, since its import has begun already. */
const EARLY_FIELDS: ReadonlySet<string> = new Set([
  'branch',
  'context',
  'baseURI',
  'url',
  'on-error',
  'max-errors',
  ...JSON_LD_PARAMETERS,
]);

const UPDATE = 'application/sparql-update';

/** A body that is the document itself. */
export function bodyUpload(request: HttpRequest, parameters: URLSearchParams, limit: number): Upload {
  const { bytes, bytesRead } = countedBody(request, limit);
  const mediaType = request.headers.get('Content-Type') ?? undefined;
  const source: ImportSource = { body: asImport(bytes), mediaType, bytesTotal: announcedLength(request), bytesRead };
  return { source, parameters };
}

/** The bytes of a body, and the number of received bytes that its announced length counts: compressed ones, and the whole form. */
function countedBody(
  request: HttpRequest,
  limit: number,
): { readonly bytes: AsyncIterable<Uint8Array>; readonly bytesRead: () => number } {
  let count = 0;
  const bytes = bodyBytes(request, limit, (received) => (count += received));
  return { bytes, bytesRead: () => count };
}

function announcedLength({ headers }: HttpRequest): number | undefined {
  const length = Number(headers.get('Content-Length'));
  return length > 0 ? length : undefined;
}

/** The document of an address. */
export function urlUpload(url: string, parameters: URLSearchParams): Upload {
  const address = /^<(.*)>$/.exec(url.trim())?.[1] ?? url.trim();
  if (!URL.canParse(address)) throw badRequest('url is not an absolute URL');
  return { source: { url: address }, parameters };
}

/** A form whose field `update` is an update. The parameters do not hold it. */
export interface SentUpdate {
  readonly update: string;
  readonly parameters: URLSearchParams;
}

/** The first file of a multipart form as a stream, the document of its field `url`, or its update. */
export async function multipartUpload(
  request: HttpRequest,
  given: URLSearchParams,
  limit: number,
): Promise<Upload | SentUpdate> {
  const { bytes, bytesRead } = countedBody(request, limit);
  const parts = multipartParts(request.headers.get('Content-Type') ?? '', bytes);
  const parameters = new URLSearchParams(given);
  for (;;) {
    const { done, value: part } = await parts.next();
    if (done === true) break;
    if (part.name === 'update' || part.headers.get('Content-Type')?.startsWith(UPDATE) === true)
      return { update: await fieldText(part, MAX_QUERY_BYTES), parameters: await restOf(parts, parameters) };
    if (isFile(part)) {
      const upload = await fileUpload(part, parts, parameters);
      return { ...upload, source: { ...upload.source, bytesTotal: announcedLength(request), bytesRead } };
    }
    if (part.name !== undefined) parameters.append(part.name, await fieldText(part, MAX_METADATA_BYTES));
  }
  const url = parameters.get('url');
  if (url !== null) return urlUpload(url, parameters);
  throw badRequest(
    'the form has neither a part with a file nor url nor update; send one, as in curl -F file=@data.ttl',
  );
}

const isFile = ({ name, fileName, headers }: Part): boolean => {
  if (fileName !== undefined || name === 'file') return true;
  const type = headers.get('Content-Type') ?? '';
  return type !== '' && !/^text\/plain\b/i.test(type);
};

/** The parameters, with the fields that are left. */
async function restOf(parts: AsyncGenerator<Part>, parameters: URLSearchParams): Promise<URLSearchParams> {
  for await (const part of parts) {
    if (part.name === 'update') throw badRequest('update is given more than once');
    if (isFile(part)) throw badRequest('the form has an update and a file; send one of them');
    if (part.name !== undefined) parameters.append(part.name, await fieldText(part, MAX_METADATA_BYTES));
  }
  if (parameters.has('url')) throw badRequest('the form has an update and a url; send one of them');
  return parameters;
}

/** Reads the fields after a short file. After a long file, which is a stream, fields are refused. */
async function fileUpload(
  part: Part,
  parts: AsyncGenerator<Part>,
  parameters: URLSearchParams,
): Promise<{ readonly source: BodySource; readonly parameters: URLSearchParams }> {
  const content = part.body[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  while (!ended && length <= HELD_BYTES) {
    const { done, value } = await content.next();
    ended = done === true;
    if (done === true) break;
    held.push(value.slice());
    length += value.length;
  }
  if (ended) {
    for await (const { name, fileName, body } of parts) {
      if (fileName !== undefined) throw badRequest('the form has several files; send one at a time');
      if (name !== undefined) parameters.append(name, await fieldText({ name, body }, MAX_METADATA_BYTES));
    }
  }
  const mediaType = part.headers.get('Content-Type') ?? undefined;
  const body = ended ? chunksOf(held) : longFile(held, content, parts);
  return { source: { body: asImport(body), mediaType, fileName: part.fileName }, parameters };
}

async function* chunksOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function* longFile(
  held: Uint8Array[],
  content: AsyncIterator<Uint8Array>,
  parts: AsyncGenerator<Part>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let chunk = held.shift(); chunk !== undefined; chunk = held.shift()) yield chunk;
    for (let next = await content.next(); next.done !== true; next = await content.next()) yield next.value;
    for await (const { name, fileName } of parts) {
      if (fileName !== undefined) throw badRequest('the form has several files; send one at a time');
      if (EARLY_FIELDS.has(name ?? ''))
        throw badRequest(`the field ${name ?? ''} has to come before a file of this length`);
    }
  } finally {
    await parts.return(undefined);
  }
}

/** Turns an HttpError into the error of a job. The answer still uses the HttpError, which is the cause. */
async function* asImport(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (cause) {
    if (!(cause instanceof HttpError)) throw cause;
    if (cause.status === 413) throw new LimitError('INPUT_TOO_LARGE', cause.message, { cause });
    throw new InvalidArgumentError('INVALID_OPTION', cause.message, { cause });
  }
}
