/** Credentials in other places than `Authorization`. */
import type { Credentials } from '../host/index.js';
import { bodyWhole, FORM, MAX_QUERY_BYTES } from '../message/body.js';
import { ChangedRequest, type HttpRequest } from '../message/request.js';

const TOKEN_PARAMETER = 'auth_token';

/** The token that a GraphDB client sends as its password at `/rest/login/<user>`. */
export function loginOfGraphDb({ headers, url }: HttpRequest): Credentials | undefined {
  const password = headers.get('X-GraphDB-Password');
  if (password === null) return undefined;
  const user = /\/rest\/login\/([\w-]+)\/?$/.exec(url)?.[1];
  return user === undefined ? undefined : { scheme: 'basic', user, password };
}

/** Of Dydra's clients: the first `auth_token` of the address, else of a form in the body, which is read for that. */
export async function tokenOfDydra(
  request: HttpRequest,
): Promise<{ request: HttpRequest; credentials: Credentials | undefined }> {
  const token = new URL(request.url).searchParams.get(TOKEN_PARAMETER);
  if (token !== null) return { request, credentials: bearer(token) };
  const { headers, method } = request;
  const isForm = headers.get('Content-Type')?.toLowerCase().startsWith(FORM) === true;
  const length = Number(headers.get('Content-Length') ?? Number.NaN);
  if (!isForm || headers.has('Content-Encoding') || !(length <= MAX_QUERY_BYTES))
    return { request, credentials: undefined };
  const body = await bodyWhole(request, MAX_QUERY_BYTES);
  const form = new URLSearchParams(new TextDecoder().decode(body));
  return {
    request: new ChangedRequest(request, method, body),
    credentials: bearer(form.get(TOKEN_PARAMETER)),
  };
}

const bearer = (token: string | null): Credentials | undefined =>
  token === null ? undefined : { scheme: 'bearer', token };
