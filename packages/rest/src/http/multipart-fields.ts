/** The fields of a multipart form as texts. */
import { badRequest, HttpError } from '@quadrille/http';
import { bodyBytes, MAX_METADATA_BYTES, MAX_QUERY_BYTES } from './body.js';
import { multipartParts, type Part } from './multipart.js';
import type { HttpRequest } from './request.js';
import { platform } from '@quadrille/service';

/** The text of a part. @throws HttpError 413 beyond `limit` bytes, 400 where it is not UTF-8 */
export async function fieldText({ body, name }: Pick<Part, 'body' | 'name'>, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) throw new HttpError('PAYLOAD_TOO_LARGE', `the field ${name ?? ''} is too long`);
    chunks.push(chunk.slice());
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(platform.concat(chunks));
  } catch {
    throw badRequest(`the field ${name ?? ''} is not UTF-8`);
  }
}

/** All fields of a form with a query or an update, also those that are sent as files. */
export async function queryFields(request: HttpRequest): Promise<URLSearchParams> {
  const fields = new URLSearchParams();
  const bytes = bodyBytes(request, MAX_QUERY_BYTES + MAX_METADATA_BYTES);
  for await (const part of multipartParts(request.headers.get('Content-Type') ?? '', bytes)) {
    if (part.name !== undefined) fields.append(part.name, await fieldText(part, MAX_QUERY_BYTES));
  }
  return fields;
}
