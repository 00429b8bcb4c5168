/** The source of a POST or PUT of statements. Each kind of body is read into a source, and `writeSource` writes all of them. */
import { badRequest, HttpError } from '../../http/index.js';
import { type ImportSource, readableTypes } from '../../host/index.js';
import type { Context } from '../../context.js';
import { bodyText, FORM, heldBytes, mediaTypeOf, textLimit } from '../../message/body.js';
import { Reply } from '../../message/reply.js';
import type { HttpRequest } from '../../message/request.js';
import { enterLateFields, narrowTo } from '../../parameters/closed-parameters.js';
import { refuseRevision } from '../../parameters/revision-ref.js';
import { refuseOtherText } from '../../parameters/sparql-parameters.js';
import type { Service } from '../../service.js';
import { runUpdate } from '../sparql/sparql.js';
import { bodySource, multipartUpload, type Sent, urlSource } from './document-upload.js';
import { importOf, runImport, written } from './import-reply.js';
import { type Operation, readTransactionDocument } from './transaction-document.js';
import { runOperations } from './transaction-operations.js';
import { DOCUMENT, OPERATIONS, UPDATE } from '../../parameters/lists.js';

export type StatementSource =
  | { readonly kind: 'document'; readonly source: ImportSource }
  | { readonly kind: 'update'; readonly text: string }
  | { readonly kind: 'operations'; readonly operations: readonly Operation[] };

/** POST adds a document or makes changes. PUT replaces the content by a document. */
export type WriteMethod = 'POST' | 'PUT';

/** @throws HttpError 400, 413, 415 */
export async function statementSource(
  service: Service,
  context: Context,
  method: WriteMethod,
): Promise<StatementSource> {
  const { request, parameters } = context;
  const mediaType = mediaTypeOf(request);
  if (method === 'POST' && mediaType === 'application/sparql-update') {
    refuseOtherText(parameters);
    return { kind: 'update', text: await bodyText(request, await textLimit(service, context)) };
  }
  if (method === 'POST' && mediaType === 'application/x-rdftransaction') {
    return { kind: 'operations', operations: await readTransactionDocument(heldBytes(service, context)) };
  }
  if (mediaType === FORM) return formSource(parameters, method);
  const url = parameters.get('url');
  if (url !== null) {
    refuseBody(request);
    return document(urlSource(url));
  }
  const limit = service.hosted.limits.importBytes;
  switch (mediaType) {
    case undefined:
      throw new HttpError(
        'UNSUPPORTED_MEDIA_TYPE',
        `RDF needs a Content-Type; send one of ${readableTypes().join(', ')}`,
      );
    case 'multipart/form-data': {
      const sent = await multipartUpload(request, limit, service.hosted.limits.updateBytes);
      await enterLateFields(service, context, sent.fields);
      return multipartSource(sent, context.parameters, method);
    }
    default:
      return document(bodySource(request, limit));
  }
}

/** Writes a source as one revision. */
export async function writeSource(
  service: Service,
  context: Context,
  source: StatementSource,
  method: WriteMethod,
): Promise<Reply> {
  narrowTo(context, LISTS[source.kind]);
  // `runUpdate` does it.
  if (source.kind !== 'update') refuseRevision(context.parameters, context.request.headers);
  switch (source.kind) {
    case 'document': {
      const result = await runImport(service, context, importOf(service, context, source.source, method === 'PUT'));
      return result instanceof Reply ? result : written(result);
    }
    case 'update':
      return runUpdate(service, context, source.text, context.parameters);
    case 'operations':
      return runOperations(service, context, source.operations);
  }
}

const LISTS = { document: DOCUMENT, update: UPDATE, operations: OPERATIONS };

const document = (source: ImportSource): StatementSource => ({ kind: 'document', source });

function multipartSource({ source, update }: Sent, parameters: URLSearchParams, method: WriteMethod): StatementSource {
  const url = parameters.get('url');
  if (url !== null && (source !== undefined || update !== undefined))
    throw badRequest('the form has a url beside a file or an update; send one of them');
  if (source !== undefined) return document(source);
  if (update !== undefined && method === 'POST') return { kind: 'update', text: update };
  if (update !== undefined) throw badRequest('PUT replaces the statements by a document; send an update with POST');
  if (url !== null) return document(urlSource(url));
  throw badRequest(
    'the form has neither a part with a file nor url nor update; send one, as in curl -F file=@data.ttl',
  );
}

/** A document beside an address would be lost. */
function refuseBody({ headers }: HttpRequest): void {
  if (Number(headers.get('Content-Length') ?? 0) === 0 && !headers.has('Transfer-Encoding')) return;
  throw badRequest('send a document or the url of one, not both');
}

/** A form has an update or the address of a document. `curl --data` sends RDF as a form unless it is told its type. */
function formSource(parameters: URLSearchParams, method: WriteMethod): StatementSource {
  const [update, url] = [parameters.get('update'), parameters.get('url')];
  if (update !== null && method === 'POST') return { kind: 'update', text: update };
  if (url !== null) return document(urlSource(url));
  throw badRequest(
    'a form has url or update; name the type of RDF in a body, as in curl -H "Content-Type: text/turtle"',
  );
}
