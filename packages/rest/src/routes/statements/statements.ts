/** `/A/R/statements`: the statements of a repository, read, added, replaced and removed. */
import { badRequest, HttpError } from '@quadrille/http';
import type { Context } from '../../context.js';
import { readableTypes } from '@quadrille/service';
import { acceptable } from '../../http/acceptable.js';
import { bodyForm, bodyText, MAX_QUERY_BYTES, mediaTypeOf } from '../../http/body.js';
import { commitOptions, entityTag, notModified } from '../../http/conditional.js';
import { graphsToRead, graphsToWrite } from '../../parameters/selected-graphs.js';
import { importUpload, written } from './import-answer.js';
import { contentType, STATEMENT_OFFERS, writableType } from '../../documents/media-types.js';
import { tagSuffix, wantsExpanded } from '../../documents/representation.js';
import { refuseRevision, revisionInterval } from '../../parameters/revision-ref.js';
import { type Handlers, openRepository, openView, type Service } from '../../service.js';
import { runTransactionDocument, TRANSACTION_TYPE } from './run-transaction-document.js';
import { statementsDocument } from '../../documents/statements-document.js';
import { textBody } from '../../http/text-body.js';
import { patternOf } from '../../parameters/terms.js';
import { multipartUpload, bodyUpload, urlUpload } from './upload.js';
import { diffReply } from '../history/diff.js';
import { runUpdate } from '../sparql/sparql.js';
import { Reply } from '../../http/reply.js';
import type { HttpRequest } from '../../http/request.js';

const FORM = 'application/x-www-form-urlencoded';
/** What a DELETE may carry beside the pattern; anything else is refused, since a misspelt pattern would remove all. */
const DELETE_PARAMETERS = new Set(
  (
    'subj subject pred predicate obj object context ' +
    'auth_token user_id infer Accept format timeout _method revision-id revision revision-uuid'
  ).split(' '),
);

/** `/A/R.ttl` and the like, whatever the client accepts. */
export function exportRoute(service: Service): Handlers {
  return {
    GET(context) {
      const extension = context.param('extension') ?? '';
      const mediaType = writableType(extension);
      if (mediaType === undefined) throw new HttpError('NOT_FOUND', `no format is called ${extension.slice(0, 20)}`);
      return readStatements(service, context, mediaType);
    },
  };
}

export function statementsRoute(service: Service): Handlers {
  return {
    GET: (context) => readStatements(service, context),
    POST: (context) => writeStatements(service, context, false),
    PUT: (context) => writeStatements(service, context, true),
    DELETE: (context) => removeStatements(service, context),
  };
}

/** Also the answer of `/A/R` itself, where statements are asked for, and of `/A/R.ttl`, which chooses the type. */
export async function readStatements(service: Service, context: Context, chosen?: string): Promise<Reply> {
  const parameters = context.parameters;
  const interval = revisionInterval(parameters, context.request.headers);
  if (interval !== undefined) return diffReply(service, context, interval);
  const pattern = patternOf(parameters);
  const graphs = graphsToRead(parameters);
  const mediaType = chosen ?? acceptable(context, parameters, STATEMENT_OFFERS);
  const { view, revision, repository } = await openView(service, context, parameters);
  const expanded = wantsExpanded(mediaType, context.header('Accept'));
  const prefixes = expanded ? {} : await repository.prefixes();
  const suffix = tagSuffix(mediaType, prefixes);
  const unchanged = notModified(context, revision, suffix);
  if (unchanged !== undefined) return unchanged;
  const { signal } = context.request;
  // A dump has the prefixes of the repository.
  const reads = expanded ? { quads: view.quads.bind(view) } : view;
  const chunks = statementsDocument(mediaType, { view: reads, pattern, graphs, prefixes, signal });
  return new Reply(await textBody(chunks), {
    headers: { 'Content-Type': contentType(mediaType), ETag: entityTag(revision, suffix) },
  });
}

async function writeStatements(service: Service, context: Context, replace: boolean): Promise<Reply> {
  const parameters = context.parameters;
  const request = context.request;
  refuseRevision(parameters, request.headers);
  const mediaType = mediaTypeOf(request);
  if (!replace && mediaType === 'application/sparql-update') {
    return runUpdate(service, context, await bodyText(request, MAX_QUERY_BYTES), parameters);
  }
  if (!replace && mediaType === TRANSACTION_TYPE) return runTransactionDocument(service, context);
  const url = parameters.get('url');
  if (url !== null) return importUpload(service, context, urlUpload(url, withoutBody(request, parameters)), replace);
  if (mediaType === FORM) return formWrite(service, context, replace);
  const limit = service.hosted.limits.importBytes;
  if (mediaType !== 'multipart/form-data') {
    if (mediaType === undefined) throw unknownType();
    return importUpload(service, context, bodyUpload(request, parameters, limit), replace);
  }
  const upload = await multipartUpload(request, parameters, limit);
  refuseRevision(upload.parameters, request.headers);
  return importUpload(service, context, upload, replace);
}

const unknownType = (): HttpError =>
  new HttpError('UNSUPPORTED_MEDIA_TYPE', `RDF needs a Content-Type; send one of ${readableTypes().join(', ')}`);

/** What is sent beside an address would be lost. */
function withoutBody(request: HttpRequest, parameters: URLSearchParams): URLSearchParams {
  if (Number(request.headers.get('Content-Length') ?? 0) === 0 && !request.headers.has('Transfer-Encoding')) {
    return parameters;
  }
  throw badRequest('send a document or the url of one, not both');
}

/** A form carries an update or the address of a document; RDF in a form is the default type of `curl --data`. */
async function formWrite(service: Service, context: Context, replace: boolean): Promise<Reply> {
  const request = context.request;
  const parameters = new URLSearchParams(context.parameters);
  for (const [name, value] of await bodyForm(request, MAX_QUERY_BYTES)) parameters.append(name, value);
  refuseRevision(parameters, request.headers);
  const update = parameters.get('update');
  if (update !== null && !replace) return runUpdate(service, context, update, parameters);
  const url = parameters.get('url');
  if (url !== null) return importUpload(service, context, urlUpload(url, parameters), replace);
  throw badRequest(
    'a form has url or update; name the type of RDF in a body, as in curl -H "Content-Type: text/turtle"',
  );
}

async function removeStatements(service: Service, context: Context): Promise<Reply> {
  const parameters = await deleteParameters(context);
  refuseRevision(parameters, context.request.headers);
  const unknown = [...parameters.keys()].find((name) => !DELETE_PARAMETERS.has(name));
  if (unknown !== undefined) throw badRequest(`DELETE knows no parameter ${unknown}; nothing was removed`);
  const pattern = patternOf(parameters);
  const graphs = graphsToWrite(parameters);
  const repository = await openRepository(service, context);
  const options = await commitOptions(context, repository);
  const [graph, ...others] = graphs ?? [];
  if (graph === undefined) return written(await repository.remove(pattern, options));
  if (others.length === 0) return written(await repository.remove({ ...pattern, graph }, options));
  const revision = await repository.transaction(async (transaction) => {
    for (const each of [graph, ...others]) await transaction.remove({ ...pattern, graph: each });
  }, options);
  return written(revision);
}

/** The pattern may come in a form body too; any other body is refused, since it may be meant as one. */
async function deleteParameters(context: Context): Promise<URLSearchParams> {
  const parameters = new URLSearchParams(context.parameters);
  const text = await bodyText(context.request, MAX_QUERY_BYTES);
  if (text === '') return parameters;
  if (mediaTypeOf(context.request) !== FORM) {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'DELETE takes its pattern as parameters, not as a body');
  }
  for (const [name, value] of new URLSearchParams(text)) parameters.append(name, value);
  return parameters;
}
