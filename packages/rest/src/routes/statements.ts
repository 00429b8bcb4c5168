/** `/A/R/statements`: the statements of a repository, read, added, replaced and removed. */
import type { Context } from 'hono';
import type { LoadOptions, Repository, Revision } from 'quadrille';
import { baseOf, patternOf } from '../terms.js';
import { bodyBytes, bodyForm, bodyText, MAX_QUERY_BYTES, MAX_RDF_BYTES, mediaTypeOf } from '../body.js';
import { commitOptions, entityTag, notModified } from '../conditional.js';
import { graphsToRead, graphsToWrite } from '../contexts.js';
import { badRequest, HttpError } from '../http-error.js';
import { loadIntoGraphs } from '../load-into-graphs.js';
import { contentType, readableType, STATEMENT_OFFERS } from '../media-types.js';
import { negotiate } from '../negotiate.js';
import { tagSuffix } from '../representation.js';
import { refuseRevision, revisionInterval } from '../revision-ref.js';
import {
  type Handlers,
  openRepository,
  openView,
  prefixesOf,
  queryParameters,
  repositoryUrl,
  type Service,
} from '../service.js';
import { statementsAs } from '../statements-as.js';
import { textBody } from '../stream.js';
import { diffResponse } from './diff.js';
import { runUpdate } from './sparql.js';

const FORM = 'application/x-www-form-urlencoded';
/** What a DELETE may carry beside the pattern; anything else is refused, since a misspelt pattern would remove all. */
const DELETE_PARAMETERS = new Set(
  (
    'subj subject pred predicate obj object context ' +
    'auth_token user_id infer Accept format timeout _method revision-id revision revision-uuid'
  ).split(' '),
);

export function statementsRoute(service: Service): Handlers {
  return {
    GET: (context) => readStatements(service, context),
    POST: (context) => writeStatements(service, context, false),
    PUT: (context) => writeStatements(service, context, true),
    DELETE: (context) => removeStatements(service, context),
  };
}

/** Also the answer of `/A/R` itself, where statements are asked for. */
export async function readStatements(service: Service, context: Context): Promise<Response> {
  const parameters = queryParameters(context);
  const interval = revisionInterval(parameters, context.req.raw.headers);
  if (interval !== undefined) return diffResponse(service, context, interval);
  const pattern = patternOf(parameters);
  const graphs = graphsToRead(parameters);
  const mediaType = negotiate(parameters.get('Accept') ?? context.req.header('Accept') ?? null, STATEMENT_OFFERS);
  const { view, revision, repository } = await openView(service, context, parameters);
  const prefixes = await prefixesOf(service, repository);
  const suffix = tagSuffix(mediaType, prefixes);
  const unchanged = notModified(context, revision, suffix);
  if (unchanged !== undefined) return unchanged;
  const { signal } = context.req.raw;
  const chunks = statementsAs(mediaType, { view, pattern, graphs, prefixes, signal });
  return new Response(await textBody(chunks), {
    headers: { 'Content-Type': contentType(mediaType), ETag: entityTag(revision, suffix) },
  });
}

async function writeStatements(service: Service, context: Context, replace: boolean): Promise<Response> {
  const parameters = queryParameters(context);
  const request = context.req.raw;
  refuseRevision(parameters, request.headers);
  const mediaType = mediaTypeOf(request);
  if (!replace && mediaType === 'application/sparql-update') {
    return runUpdate(service, context, await bodyText(request, MAX_QUERY_BYTES), parameters);
  }
  if (mediaType === FORM) return formWrite(service, context, replace);
  const format = readableFormat(mediaType);
  const graphs = graphsToWrite(parameters);
  const repository = await openRepository(service, context);
  const options: LoadOptions = {
    ...(await commitOptions(context, repository)),
    format,
    replace,
    baseIRI: baseOf(parameters, repositoryUrl(service, context)),
    sourceName: 'request body',
  };
  return written(await load(repository, bodyBytes(request, MAX_RDF_BYTES), graphs, options));
}

function load(
  repository: Repository,
  source: AsyncIterable<Uint8Array>,
  graphs: ReturnType<typeof graphsToWrite>,
  options: LoadOptions,
): Promise<Revision> {
  const [graph, ...others] = graphs ?? [];
  if (graph === undefined) return repository.load(source, options);
  if (others.length === 0) return repository.load(source, { ...options, graph });
  return loadIntoGraphs(repository, source, [graph, ...others], options);
}

function readableFormat(mediaType: string | undefined): string {
  const format = mediaType === undefined ? undefined : readableType(mediaType);
  if (format !== undefined) return format;
  throw new HttpError(
    'UNSUPPORTED_MEDIA_TYPE',
    `${mediaType === undefined ? 'a missing Content-Type' : mediaType} cannot be read as RDF here; ` +
      `send one of ${STATEMENT_OFFERS.join(', ')}`,
  );
}

/** A form carries an update or the address of a document; RDF in a form is the default type of `curl --data`. */
async function formWrite(service: Service, context: Context, replace: boolean): Promise<Response> {
  const form = await bodyForm(context.req.raw, MAX_QUERY_BYTES);
  refuseRevision(form, context.req.raw.headers);
  const update = form.get('update');
  if (update !== null && !replace) return runUpdate(service, context, update, form);
  if (form.has('url')) throw new HttpError('NOT_IMPLEMENTED', 'this server does not import from an address yet');
  throw badRequest('a form without update; name the type of RDF in a body, as in curl -H "Content-Type: text/turtle"');
}

async function removeStatements(service: Service, context: Context): Promise<Response> {
  const parameters = await deleteParameters(context);
  refuseRevision(parameters, context.req.raw.headers);
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
  const parameters = new URLSearchParams(queryParameters(context));
  const text = await bodyText(context.req.raw, MAX_QUERY_BYTES);
  if (text === '') return parameters;
  if (mediaTypeOf(context.req.raw) !== FORM) {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'DELETE takes its pattern as parameters, not as a body');
  }
  for (const [name, value] of new URLSearchParams(text)) parameters.append(name, value);
  return parameters;
}

const written = (revision: Revision): Response =>
  new Response(null, { status: 204, headers: { ETag: entityTag(revision) } });
