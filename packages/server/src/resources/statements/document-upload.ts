/** The document of a request: its body, a file of a form, or the document of an address. */
import { badRequest, HttpError, refuseParameter } from '../../http/index.js';
import { InvalidArgumentError, LimitError } from '@quadrille/model';
import type { BodySource, ImportSource } from '../../host/index.js';
import { arrivedBody, MAX_METADATA_BYTES, streamedBytes } from '../../message/body.js';
import { typeOf } from '../../message/header-list.js';
import { fieldText, multipartParts, type Part } from '../../message/multipart.js';
import type { HttpRequest } from '../../message/request.js';

/** The part of a file that is held in memory, to read the fields after a shorter file. */
const HELD_BYTES = 256 * 1024;
const UPDATE = 'application/sparql-update';

/** A body that is the document itself. */
export function bodySource(request: HttpRequest, limit: number): BodySource {
  const told = { mediaType: request.headers.get('Content-Type') ?? undefined, bytesTotal: announcedLength(request) };
  if (!request.headers.has('Content-Encoding'))
    return { body: arrivedBody(request, limit) ?? asImport(streamedBytes(request, limit)), ...told };
  const { bytes, bytesRead } = countedBody(request, limit);
  return { body: asImport(bytes), ...told, bytesRead };
}

/** The bytes of a body, and the number of received bytes that its announced length counts: compressed ones, and the whole form. */
function countedBody(
  request: HttpRequest,
  limit: number,
): { readonly bytes: AsyncIterable<Uint8Array>; readonly bytesRead: () => number } {
  let count = 0;
  const bytes = streamedBytes(request, limit, (received) => (count += received));
  return { bytes, bytesRead: () => count };
}

function announcedLength({ headers }: HttpRequest): number | undefined {
  const length = Number(headers.get('Content-Length'));
  return length > 0 ? length : undefined;
}

/** The document of an address. */
export function urlSource(url: string): ImportSource {
  const address = /^<(.*)>$/.exec(url.trim())?.[1] ?? url.trim();
  if (!URL.canParse(address)) throw refuseParameter('url')('url is not an absolute URL');
  return { url: address };
}

/** What a multipart form has brought: a file or an update, and its other fields. */
export interface Sent {
  readonly source?: BodySource;
  readonly update?: string;
  readonly fields: URLSearchParams;
}

/** The first file of a multipart form as a stream, or its update. */
export async function multipartUpload(request: HttpRequest, limit: number, updateLimit: number): Promise<Sent> {
  const { bytes, bytesRead } = countedBody(request, limit);
  const parts = multipartParts(request.headers.get('Content-Type') ?? '', bytes);
  const fields = new URLSearchParams();
  for (;;) {
    const { done, value: part } = await parts.next();
    if (done === true) return { fields };
    if (part.name === 'update' || typeOf(part.headers.get('Content-Type')) === UPDATE)
      return { update: await fieldText(part, updateLimit), fields: await restOf(parts, fields) };
    if (isFile(part)) {
      const source = await fileSource(part, parts, fields);
      return { source: { ...source, bytesTotal: announcedLength(request), bytesRead }, fields };
    }
    if (part.name !== undefined) fields.append(part.name, await fieldText(part, MAX_METADATA_BYTES));
  }
}

const isFile = ({ name, fileName, headers }: Part): boolean => {
  if (fileName !== undefined || name === 'file') return true;
  const type = headers.get('Content-Type') ?? '';
  return type !== '' && !/^text\/plain\b/i.test(type);
};

/** The fields, with those that are left. */
async function restOf(parts: AsyncGenerator<Part>, fields: URLSearchParams): Promise<URLSearchParams> {
  for await (const part of parts) {
    if (part.name === 'update') throw refuseParameter('update')('update is given more than once');
    if (isFile(part)) throw badRequest('the form has an update and a file; send one of them');
    if (part.name !== undefined) fields.append(part.name, await fieldText(part, MAX_METADATA_BYTES));
  }
  return fields;
}

/** Reads the fields after a short file. After a long file, which is a stream, fields are refused. */
async function fileSource(part: Part, parts: AsyncGenerator<Part>, fields: URLSearchParams): Promise<BodySource> {
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
      if (name !== undefined) fields.append(name, await fieldText({ name, body }, MAX_METADATA_BYTES));
    }
  }
  const mediaType = part.headers.get('Content-Type') ?? undefined;
  const body = ended ? chunksOf(held) : longFile(held, content, parts);
  return { body: asImport(body), mediaType, fileName: part.fileName };
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
      if (name !== undefined)
        throw refuseParameter(name)(`the field ${name.slice(0, 100)} has to come before a file of this length`);
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
