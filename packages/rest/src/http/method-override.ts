/** PUT, PATCH and DELETE for clients that can send nothing but POST. */
import { badRequest } from '@quadrille/http';
import { bodyOf, bytesOf, ChangedRequest, type HttpRequest } from './request.js';

const METHODS: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);
/** A form that is larger is no form that a page sends to delete something. */
const MAX_FORM_BYTES = 1024 ** 2;
const FORM = 'application/x-www-form-urlencoded';

/** The request as it is meant: by the header `X-HTTP-Method-Override`, or by `_method` in a form. */
export async function meantRequest(request: HttpRequest): Promise<HttpRequest> {
  if (request.method !== 'POST') return request;
  const header = request.headers.get('X-HTTP-Method-Override')?.trim();
  if (header !== undefined && header !== '') return withMethod(request, header, request.body);
  return mayHoldMethod(request) ? fromForm(request) : request;
}

/** Queries are forms as well, and by far the most frequent ones; nothing but POST is possible where they go. */
function mayHoldMethod({ url, headers }: HttpRequest): boolean {
  if (headers.get('Content-Type')?.toLowerCase().startsWith(FORM) !== true) return false;
  if (headers.has('Content-Encoding') || /\/sparql\/?(?:\?|$)/.test(url)) return false;
  return Number(headers.get('Content-Length') ?? Number.NaN) <= MAX_FORM_BYTES;
}

async function fromForm(request: HttpRequest): Promise<HttpRequest> {
  const body = await bytesOf(request.body);
  const method = new URLSearchParams(new TextDecoder().decode(body)).get('_method')?.trim();
  return withMethod(request, method === undefined || method === '' ? 'POST' : method, bodyOf(body));
}

function withMethod(request: HttpRequest, method: string, body: HttpRequest['body']): HttpRequest {
  const name = method.toUpperCase();
  if (name !== 'POST' && !METHODS.has(name)) {
    throw badRequest(`a POST can stand for PUT, PATCH or DELETE, not for ${method.slice(0, 20)}`);
  }
  return new ChangedRequest(request, name, body);
}
