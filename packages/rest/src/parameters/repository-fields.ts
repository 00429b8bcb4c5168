/** The fields of a repository in the body of a request: a form, or JSON nested or flat. */
import { fieldsOfForm, fieldsOfJson, type RepositoryFields } from '@quadrille/service';
import { bodyForm, bodyText, MAX_METADATA_BYTES, mediaTypeOf } from '../http/body.js';
import { badRequest } from '../http/http-error.js';
import type { HttpRequest } from '../http/request.js';

/** @throws HttpError, InvalidArgumentError 400 for a body that cannot be read */
export async function sentFields(request: HttpRequest): Promise<RepositoryFields> {
  const isJson = /[/+]json$/.test(mediaTypeOf(request) ?? '');
  if (isJson) return fieldsOfJson(parseJson(await bodyText(request, MAX_METADATA_BYTES)));
  return fieldsOfForm(await bodyForm(request, MAX_METADATA_BYTES));
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest('the body is not JSON');
  }
}
