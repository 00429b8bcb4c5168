/** The source of a POST or PUT of statements. Each kind of body is read into a source, and `writeSource` writes all of them. */
import { badRequest, HttpError } from '@quadrille/http';
import { readableTypes } from '@quadrille/service';
import type { Context } from '../../context.js';
import { bodyForm, bodyText, heldBytes, MAX_QUERY_BYTES, mediaTypeOf } from '../../http/body.js';
import type { Reply } from '../../http/reply.js';
import type { HttpRequest } from '../../http/request.js';
import { enterBranch } from '../../parameters/branch.js';
import { refuseRevision } from '../../parameters/revision-ref.js';
import type { Service } from '../../service.js';
import { runUpdate } from '../sparql/sparql.js';
import { bodyUpload, multipartUpload, type SentUpdate, type Upload, urlUpload } from './document-upload.js';
import { importUpload } from './import-reply.js';
import { type Operation, readTransactionDocument } from './transaction-document.js';
import { runOperations } from './transaction-operations.js';

/** `parameters` are those of the address and of the form, if there is one. */
export type StatementSource =
  | { readonly kind: 'document'; readonly upload: Upload; readonly parameters: URLSearchParams }
  | { readonly kind: 'update'; readonly text: string; readonly parameters: URLSearchParams }
  | { readonly kind: 'operations'; readonly operations: readonly Operation[]; readonly parameters: URLSearchParams };

/** POST adds a document or makes changes. PUT replaces the content by a document. */
export type WriteMethod = 'POST' | 'PUT';

const FORM = 'application/x-www-form-urlencoded';

/** @throws HttpError 400, 413, 415 */
export async function statementSource(
  service: Service,
  context: Context,
  method: WriteMethod,
): Promise<StatementSource> {
  const { request, parameters } = context;
  const mediaType = mediaTypeOf(request);
  if (method === 'POST' && mediaType === 'application/sparql-update') {
    return { kind: 'update', text: await bodyText(request, MAX_QUERY_BYTES), parameters };
  }
  if (method === 'POST' && mediaType === 'application/x-rdftransaction') {
    return { kind: 'operations', operations: await readTransactionDocument(heldBytes(service, context)), parameters };
  }
  const url = parameters.get('url');
  if (url !== null) return document(urlUpload(url, withoutBody(request, parameters)));
  const limit = service.hosted.limits.importBytes;
  switch (mediaType) {
    case undefined:
      throw new HttpError(
        'UNSUPPORTED_MEDIA_TYPE',
        `RDF needs a Content-Type; send one of ${readableTypes().join(', ')}`,
      );
    case FORM:
      return formSource(request, parameters, method);
    case 'multipart/form-data':
      return multipartSource(await multipartUpload(request, parameters, limit), method);
    default:
      return document(bodyUpload(request, parameters, limit));
  }
}

/** Writes a source as one revision. */
export async function writeSource(
  service: Service,
  context: Context,
  source: StatementSource,
  method: WriteMethod,
): Promise<Reply> {
  refuseRevision(source.parameters, context.request.headers);
  await enterBranch(service, context, source.parameters);
  switch (source.kind) {
    case 'document':
      return importUpload(service, context, source.upload, method === 'PUT');
    case 'update':
      return runUpdate(service, context, source.text, source.parameters);
    case 'operations':
      return runOperations(service, context, source.operations);
  }
}

const document = (upload: Upload): StatementSource => ({ kind: 'document', upload, parameters: upload.parameters });

function multipartSource(sent: Upload | SentUpdate, method: WriteMethod): StatementSource {
  if (!('update' in sent)) return document(sent);
  if (method === 'POST') return { kind: 'update', text: sent.update, parameters: sent.parameters };
  throw badRequest('PUT replaces the statements by a document; send an update with POST');
}

/** A document beside an address would be lost. */
function withoutBody({ headers }: HttpRequest, parameters: URLSearchParams): URLSearchParams {
  if (Number(headers.get('Content-Length') ?? 0) === 0 && !headers.has('Transfer-Encoding')) return parameters;
  throw badRequest('send a document or the url of one, not both');
}

/** A form has an update or the address of a document. `curl --data` sends RDF as a form unless it is told its type. */
async function formSource(request: HttpRequest, given: URLSearchParams, method: WriteMethod): Promise<StatementSource> {
  const parameters = new URLSearchParams(given);
  for (const [name, value] of await bodyForm(request, MAX_QUERY_BYTES)) parameters.append(name, value);
  const update = parameters.get('update');
  if (update !== null && method === 'POST') return { kind: 'update', text: update, parameters };
  const url = parameters.get('url');
  if (url !== null) return document(urlUpload(url, parameters));
  throw badRequest(
    'a form has url or update; name the type of RDF in a body, as in curl -H "Content-Type: text/turtle"',
  );
}
