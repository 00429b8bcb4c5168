/** PUT, PATCH and DELETE for clients that can send nothing but POST. */
import { badRequest } from '@quadrille/http';
import { bodyOf, bytesOf, ChangedRequest, type HttpRequest } from './request.js';

const METHODS: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);
/** A larger form is not searched for `_method`. */
const MAX_FORM_BYTES = 1024 ** 2;
const FORM = 'application/x-www-form-urlencoded';

/** The request with the method that `X-HTTP-Method-Override` names, or `_method` in a form. */
export async function meantRequest(request: HttpRequest): Promise<HttpRequest> {
  if (request.method !== 'POST') return request;
  const header = request.headers.get('X-HTTP-Method-Override')?.trim();
  if (header !== undefined && header !== '') return withMethod(request, header, request.body);
  return mayHoldMethod(request) ? fromForm(request) : request;
}

/** Forms with queries are left out: they are the most frequent ones, and their resource has no other methods. */
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
