/** `/A/R/sparql`: queries at any revision, and updates of the current one (SPARQL 1.1 Protocol). */
import { badRequest, HttpError } from '@quadrille/http';
import type { Context } from '../../context.js';
import type { QueryOptions, UpdateOptions } from 'quadrille';
import { acceptable } from '../../http/acceptable.js';
import { answerDocument } from '../../documents/answer-document.js';
import { bodyText, MAX_QUERY_BYTES, mediaTypeOf } from '../../http/body.js';
import { commitOptions, entityTag, notModified } from '../../http/conditional.js';
import { explainAnswer } from './explain-answer.js';
import { graphAsRows } from '../../documents/graph-as-rows.js';
import { canonicalType, contentType, isRowsType, offersOf } from '../../documents/media-types.js';
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
import { type SparqlForm, sparqlForm } from './sparql-form.js';
import { addForm, hasDataset, queryRequest, theOne, updateOptions } from '../../parameters/sparql-parameters.js';
import { textBody } from '../../http/text-body.js';
import { baseOf } from '../../parameters/terms.js';
import { updated, updateAnswer } from './update-answer.js';
import { timemapGraphs } from './timemap-graphs.js';
import { namesItsDataset } from './update-dataset.js';
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

/** Whether the address carries a request; without one it is about the endpoint, or whatever else stands at the path. */
export function isSparqlRequest(context: Context): boolean {
  const parameters = context.parameters;
  return parameters.has('query') || parameters.has('update');
}

export async function sparqlGet(service: Service, context: Context): Promise<Reply> {
  const parameters = context.parameters;
  const query = parameters.has('update') ? undefined : theOne(parameters, 'query');
  if (query === undefined || sparqlForm(query) === 'UPDATE') {
    await requireAccess(service, context, 'write');
    throw badRequest('an update has to be sent with POST');
  }
  return runQuery(service, context, query, parameters);
}

export async function sparqlPost(service: Service, context: Context): Promise<Reply> {
  const request = context.request;
  const parameters = new URLSearchParams(context.parameters);
  checkCharset(request);
  const text = await bodyText(request, MAX_QUERY_BYTES);
  switch (mediaTypeOf(request)) {
    case 'application/sparql-query':
      return runEither(service, context, text, parameters);
    case 'application/sparql-update':
      return runUpdate(service, context, text, parameters);
    case FORM:
      addForm(parameters, text);
      return runForm(service, context, parameters);
    default:
      return runUnnamedForm(service, context, parameters, text);
  }
}

/** SPARQL is UTF-8, whatever else a client may call it. */
function checkCharset(request: HttpRequest): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers.get('Content-Type') ?? '')?.[1];
  if (charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset)) return;
  throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `SPARQL is sent as UTF-8, not as ${charset.slice(0, 50)}`);
}

/** Clients also send an update as a query, which is unmistakable. */
function runEither(service: Service, context: Context, text: string, parameters: URLSearchParams): Promise<Reply> {
  const run = sparqlForm(text) === 'UPDATE' ? runUpdate : runQuery;
  return run(service, context, text, parameters);
}

function runForm(service: Service, context: Context, parameters: URLSearchParams): Promise<Reply> {
  if (parameters.has('update')) {
    if (parameters.has('query')) throw badRequest('query and update are given, where one is expected');
    return runUpdate(service, context, theOne(parameters, 'update'), parameters);
  }
  return runEither(service, context, theOne(parameters, 'query'), parameters);
}

/** A query in a form that does not say that it is one; an update has to say it, so that no web page can send one unasked. */
function runUnnamedForm(service: Service, context: Context, parameters: URLSearchParams, text: string): Promise<Reply> {
  if (/(?:^|&)query=/.test(text)) for (const [name, value] of new URLSearchParams(text)) parameters.append(name, value);
  else if (text.trim() !== '') throw unknownType();
  if (parameters.has('update') || !parameters.has('query')) throw unknownType();
  const query = theOne(parameters, 'query');
  if (sparqlForm(query) === 'UPDATE') throw unknownType();
  return runQuery(service, context, query, parameters);
}

const unknownType = (): HttpError =>
  new HttpError('UNSUPPORTED_MEDIA_TYPE', `send ${FORM}, application/sparql-query or application/sparql-update`);

/** With `tag` the entity tag of the answer tells what else it depends on. */
export async function runQuery(
  service: Service,
  context: Context,
  query: string,
  parameters: URLSearchParams,
  tag?: string,
): Promise<Reply> {
  const { text, slice, explain, options: given } = queryRequest(query, parameters, context.request.signal);
  const form = sparqlForm(query);
  const mediaType = explain === undefined ? acceptable(context, parameters, offersOf(form)) : 'text/plain';
  const asked = { ...given, baseIRI: baseOfText(service, context, parameters) };
  const opened = await openView(service, context, parameters);
  const extraGraphs = timemapGraphs(opened, repositoryUrl(service, context), [text, ...parameters.values()]);
  const options = extraGraphs === undefined ? asked : { ...asked, extraGraphs };
  const { view, revision } = opened;
  if (explain !== undefined) return explainAnswer(context, view, text, explain, options);
  const expanded = wantsExpanded(mediaType, context.header('Accept'));
  const prefixes = await opened.repository.prefixes();
  const suffix =
    [tag, expanded ? 'expanded' : undefined, answerSuffix(mediaType, text, prefixes)]
      .filter((part) => part !== undefined)
      .join('-') || undefined;
  const unchanged = notModified(context, revision, suffix);
  if (unchanged !== undefined) return unchanged;
  const chunks =
    slice === undefined && !expanded
      ? wholeAnswer(opened, text, form, mediaType, options)
      : answerDocument(view, text, mediaType, options, expanded ? {} : prefixes, slice);
  return new Reply(await textBody(chunks), {
    headers: { 'Content-Type': contentType(mediaType), ETag: entityTag(revision, suffix), Vary: 'Accept' },
  });
}

function wholeAnswer(
  { view }: OpenView,
  query: string,
  form: SparqlForm | undefined,
  mediaType: string,
  options: QueryOptions,
): AsyncIterable<string> {
  const asRows = (form === 'CONSTRUCT' || form === 'DESCRIBE') && isRowsType(mediaType);
  return asRows
    ? graphAsRows(view, query, mediaType, options)
    : view.serialize(query, isRowsType(mediaType) ? mediaType : canonicalType(mediaType), options);
}

/** Runs an update as one commit; 204, or `true` in the results type that the client asks for. */
export async function runUpdate(
  service: Service,
  context: Context,
  update: string,
  parameters: URLSearchParams,
): Promise<Reply> {
  if (parameters.has('explain')) throw badRequest('an update has no plan to explain');
  refuseRevision(parameters, context.request.headers);
  await requireAccess(service, context, 'write');
  const query = {
    ...updateOptions(parameters, context.request.signal),
    baseIRI: baseOfText(service, context, parameters),
  };
  if (hasDataset(query) && namesItsDataset(update)) {
    throw badRequest('using-graph-uri and using-named-graph-uri do not go together with USING or WITH in the update');
  }
  const answerType = updateAnswer(context);
  const repository = await openRepository(service, context);
  const options: UpdateOptions = { ...query, ...(await commitOptions(context, repository)) };
  return updated(await repository.update(update, options), answerType);
}

/** Relative IRIs of a text resolve against the endpoint, in the first of its forms. */
const baseOfText = (service: Service, context: Context, parameters: URLSearchParams): string =>
  baseOf(parameters, `${repositoryUrl(service, context)}/sparql`);
