/**
 * PUT, PATCH and DELETE for clients that can send nothing but POST: `X-HTTP-Method-Override` of clients behind old proxies, and `_method` of HTML forms and of
 * Dydra's client in Ruby.
 */
import { badRequest } from '../http/index.js';
import { bodyWhole, MAX_QUERY_BYTES } from '../message/body.js';
import { ChangedRequest, type HttpRequest } from '../message/request.js';

const METHODS: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);
const FORM = 'application/x-www-form-urlencoded';

/** The request with the method that `X-HTTP-Method-Override` names. */
export function withMethodOfHeader(request: HttpRequest): HttpRequest {
  if (request.method !== 'POST') return request;
  const header = request.headers.get('X-HTTP-Method-Override')?.trim() ?? '';
  return header === '' ? request : withMethod(request, header);
}

/**
 * Whether a form may name the method. Longer forms are not searched, and neither are those with queries: they are the most frequent ones, and their resource
 * has no other methods.
 */
export function mayHoldMethod({ method, url, headers }: HttpRequest): boolean {
  if (method !== 'POST' || headers.get('Content-Type')?.toLowerCase().startsWith(FORM) !== true) return false;
  if (headers.has('X-HTTP-Method-Override') || headers.has('Content-Encoding') || /\/sparql\/?(?:\?|$)/.test(url))
    return false;
  return Number(headers.get('Content-Length') ?? Number.NaN) <= MAX_QUERY_BYTES;
}

/** The request with the method that `_method` in its form names. The form is read. */
export async function withMethodOfForm(request: HttpRequest): Promise<HttpRequest> {
  const body = await bodyWhole(request, MAX_QUERY_BYTES);
  const method = new URLSearchParams(new TextDecoder().decode(body)).get('_method')?.trim();
  return withMethod(request, method === undefined || method === '' ? 'POST' : method, body);
}

function withMethod(request: HttpRequest, method: string, body?: Uint8Array): HttpRequest {
  const name = method.toUpperCase();
  if (name !== 'POST' && !METHODS.has(name)) {
    throw badRequest(`a POST can stand for PUT, PATCH or DELETE, not for ${method.slice(0, 20)}`);
  }
  return new ChangedRequest(request, name, body);
}
