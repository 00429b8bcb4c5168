/** `/A/R/sparql`: queries at any revision, and updates of the current one (SPARQL 1.1 Protocol). */
import { badRequest, HttpError } from '@quadrille/http';
import type { Context } from '../../context.js';
import type { PreparedRequest, QueryOptions, UpdateOptions } from 'quadrille';
import { acceptable } from '../../http/acceptable.js';
import { answerDocument } from '../../documents/answer-document.js';
import { bodyText, MAX_QUERY_BYTES, mediaTypeOf } from '../../http/body.js';
import { commitOptions, entityTag, notModified } from '../../http/conditional.js';
import { explainAnswer } from './explain-answer.js';
import { canonicalType, contentType, isGraphKind, isRowsType, offersOf } from '../../documents/media-types.js';
import { answerSuffix, wantsExpanded } from '../../documents/representation.js';
import { refuseRevision } from '../../parameters/revision-ref.js';
import {
  type Handlers,
  openRepository,
  openView,
  type OpenView,
  repositoryUrl,
  requireAccess,
  type Service,
} from '../../service.js';
import {
  addForm,
  hasDataset,
  queryRequest,
  queryText,
  theOne,
  updateOptions,
} from '../../parameters/sparql-parameters.js';
import { textBody } from '../../http/text-body.js';
import { baseOf } from '../../parameters/terms.js';
import { updated, updateAnswer } from './update-answer.js';
import { timemapGraphs } from './timemap-graphs.js';
import { serviceDescription } from './service-description.js';
import { Reply } from '../../http/reply.js';
import type { HttpRequest } from '../../http/request.js';

const FORM = 'application/x-www-form-urlencoded';

export function sparqlRoute(service: Service): Handlers {
  return {
    GET: (context) => (isSparqlRequest(context) ? sparqlGet(service, context) : serviceDescription(service, context)),
    POST: (context) => sparqlPost(service, context),
  };
}

/** Whether the address contains a query or an update. */
export function isSparqlRequest(context: Context): boolean {
  const parameters = context.parameters;
  return parameters.has('query') || parameters.has('update');
}

export async function sparqlGet(service: Service, context: Context): Promise<Reply> {
  const parameters = context.parameters;
  const query = parameters.has('update') ? undefined : await prepared(service, context, parameters);
  if (query === undefined || query.kind === 'update') {
    await requireAccess(service, context, 'write');
    throw badRequest('an update has to be sent with POST');
  }
  return answerTo(service, context, query, parameters);
}

export async function sparqlPost(service: Service, context: Context): Promise<Reply> {
  const request = context.request;
  const parameters = new URLSearchParams(context.parameters);
  checkCharset(request);
  const text = await bodyText(request, MAX_QUERY_BYTES);
  switch (mediaTypeOf(request)) {
    case 'application/sparql-query':
      parameters.delete('query');
      parameters.append('query', text);
      return runEither(service, context, parameters);
    case 'application/sparql-update':
      return runUpdate(service, context, text, parameters);
    case FORM:
      addForm(parameters, text);
      return runForm(service, context, parameters);
    default:
      return runUnnamedForm(service, context, parameters, text);
  }
}

/** Refuses charsets other than UTF-8. */
function checkCharset(request: HttpRequest): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers.get('Content-Type') ?? '')?.[1];
  if (charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset)) return;
  throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `SPARQL is sent as UTF-8, not as ${charset.slice(0, 50)}`);
}

/** The request of the parameter `query`, parsed; the rows of `values` belong to it. */
async function prepared(service: Service, context: Context, parameters: URLSearchParams): Promise<PreparedRequest> {
  return prepareText(service, context, queryText(theOne(parameters, 'query'), parameters), parameters);
}

async function prepareText(
  service: Service,
  context: Context,
  text: string,
  parameters: URLSearchParams,
): Promise<PreparedRequest> {
  const repository = await openRepository(service, context);
  return repository.prepare(text, { baseIRI: baseOfText(service, context, parameters) });
}

/** Runs a query, or an update that a client sends as a query. */
async function runEither(service: Service, context: Context, parameters: URLSearchParams): Promise<Reply> {
  const request = await prepared(service, context, parameters);
  if (request.kind !== 'update') return answerTo(service, context, request, parameters);
  return applyUpdate(service, context, () => Promise.resolve(request), parameters);
}

function runForm(service: Service, context: Context, parameters: URLSearchParams): Promise<Reply> {
  if (parameters.has('update')) {
    if (parameters.has('query')) throw badRequest('query and update are given, where one is expected');
    return runUpdate(service, context, theOne(parameters, 'update'), parameters);
  }
  return runEither(service, context, parameters);
}

/** A form without its media type may contain a query. It may not contain an update, since web pages can send such forms unasked. */
async function runUnnamedForm(
  service: Service,
  context: Context,
  parameters: URLSearchParams,
  text: string,
): Promise<Reply> {
  if (/(?:^|&)query=/.test(text)) for (const [name, value] of new URLSearchParams(text)) parameters.append(name, value);
  else if (text.trim() !== '') throw unknownType();
  if (parameters.has('update') || !parameters.has('query')) throw unknownType();
  const query = await prepared(service, context, parameters);
  if (query.kind === 'update') throw unknownType();
  return answerTo(service, context, query, parameters);
}

const unknownType = (): HttpError =>
  new HttpError('UNSUPPORTED_MEDIA_TYPE', `send ${FORM}, application/sparql-query or application/sparql-update`);

/** Answers a query. `tag` becomes part of the entity tag. */
export async function runQuery(
  service: Service,
  context: Context,
  query: string,
  parameters: URLSearchParams,
  tag: string,
): Promise<Reply> {
  const request = await prepareText(service, context, queryText(query, parameters), parameters);
  return answerTo(service, context, request, parameters, tag);
}

async function answerTo(
  service: Service,
  context: Context,
  query: PreparedRequest,
  parameters: URLSearchParams,
  tag?: string,
): Promise<Reply> {
  const { slice, explain, options: asked } = queryRequest(parameters, context.request.signal);
  const mediaType = explain === undefined ? acceptable(context, parameters, offersOf(query.kind)) : 'text/plain';
  const opened = await openView(service, context, parameters);
  const extraGraphs = timemapGraphs(opened, repositoryUrl(service, context), query, asked);
  const options = extraGraphs === undefined ? asked : { ...asked, extraGraphs };
  const { view, revision } = opened;
  if (explain !== undefined) return explainAnswer(context, view, query.request, explain, options);
  const expanded = wantsExpanded(mediaType, context.header('Accept'));
  const prefixes = await opened.repository.prefixes();
  const suffix =
    [tag, expanded ? 'expanded' : undefined, answerSuffix(mediaType, query.prefixes, prefixes)]
      .filter((part) => part !== undefined)
      .join('-') || undefined;
  const unchanged = notModified(context, revision, suffix);
  if (unchanged !== undefined) return unchanged;
  const chunks =
    slice === undefined && !expanded
      ? wholeAnswer(opened, query, mediaType, options)
      : answerDocument(view, query.request, mediaType, options, expanded ? {} : prefixes, slice);
  return new Reply(await textBody(chunks), {
    headers: { 'Content-Type': contentType(mediaType), ETag: entityTag(revision, suffix), Vary: 'Accept' },
  });
}

function wholeAnswer(
  { view }: OpenView,
  { request, kind }: PreparedRequest,
  mediaType: string,
  options: QueryOptions,
): AsyncIterable<string> {
  return isGraphKind(kind) && isRowsType(mediaType)
    ? answerDocument(view, request, mediaType, options, {}, undefined)
    : view.serialize(request, isRowsType(mediaType) ? mediaType : canonicalType(mediaType), options);
}

/** Runs an update as one commit; 204, or `true` in the results type that the client asks for. */
export function runUpdate(
  service: Service,
  context: Context,
  update: string,
  parameters: URLSearchParams,
): Promise<Reply> {
  return applyUpdate(service, context, () => prepareText(service, context, update, parameters), parameters);
}

async function applyUpdate(
  service: Service,
  context: Context,
  parse: () => Promise<PreparedRequest>,
  parameters: URLSearchParams,
): Promise<Reply> {
  if (parameters.has('explain')) throw badRequest('an update has no plan to explain');
  refuseRevision(parameters, context.request.headers);
  await requireAccess(service, context, 'write');
  const query = updateOptions(parameters, context.request.signal);
  const request = await parse();
  if (hasDataset(query) && request.dataset !== undefined) {
    throw badRequest('using-graph-uri and using-named-graph-uri do not go together with USING or WITH in the update');
  }
  const answerType = updateAnswer(context);
  const repository = await openRepository(service, context);
  const options: UpdateOptions = { ...query, ...(await commitOptions(context, repository)) };
  return updated(await request.update(options), answerType);
}

/** The base IRI of a text: `baseURI`, else the canonical address of the endpoint. */
const baseOfText = (service: Service, context: Context, parameters: URLSearchParams): string =>
  baseOf(parameters, `${repositoryUrl(service, context)}/sparql`);
