/** `/A/R/sparql`: queries at any revision, and updates of the current one (SPARQL 1.1 Protocol). */
import type { Context } from 'hono';
import type { QueryOptions } from 'quadrille';
import { bodyForm, bodyText, MAX_QUERY_BYTES, mediaTypeOf } from '../body.js';
import { commitOptions, entityTag, notModified } from '../conditional.js';
import { graphAsRows, isRowsType } from '../graph-as-rows.js';
import { badRequest, HttpError } from '../http-error.js';
import { ASK_OFFERS, canonicalType, contentType, GRAPH_OFFERS, SELECT_OFFERS } from '../media-types.js';
import { negotiate } from '../negotiate.js';
import { refuseRevision } from '../revision-ref.js';
import { type Handlers, openRepository, openView, queryParameters, requireAccess, type Service } from '../service.js';
import { type SparqlForm, sparqlForm } from '../sparql-form.js';
import { textBody } from '../stream.js';

/** Not served yet; to ignore them would answer from other data than was asked for. */
const DATASET_PARAMETERS = ['default-graph-uri', 'named-graph-uri', 'using-graph-uri', 'using-named-graph-uri'];

export function sparqlRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const parameters = queryParameters(context);
      const query = parameters.has('update') ? undefined : theOne(parameters, 'query');
      if (query === undefined || sparqlForm(query) === 'UPDATE') {
        await requireAccess(service, context, 'write');
        throw badRequest('an update has to be sent with POST');
      }
      return runQuery(service, context, query, parameters);
    },
    async POST(context) {
      const request = context.req.raw;
      const parameters = new URLSearchParams(queryParameters(context));
      switch (mediaTypeOf(request)) {
        case 'application/sparql-query':
          return runQuery(service, context, await bodyText(request, MAX_QUERY_BYTES), parameters);
        case 'application/sparql-update':
          return runUpdate(service, context, await bodyText(request, MAX_QUERY_BYTES), parameters);
        case 'application/x-www-form-urlencoded':
        case undefined:
          for (const [name, value] of await bodyForm(request, MAX_QUERY_BYTES)) parameters.append(name, value);
          return runForm(service, context, parameters);
        default:
          throw new HttpError(
            'UNSUPPORTED_MEDIA_TYPE',
            'send a form, application/sparql-query or application/sparql-update',
          );
      }
    },
  };
}

/** Clients also send an update as `query`, which is unmistakable. */
function runForm(service: Service, context: Context, parameters: URLSearchParams): Promise<Response> {
  if (parameters.has('update')) return runUpdate(service, context, theOne(parameters, 'update'), parameters);
  const query = theOne(parameters, 'query');
  if (sparqlForm(query) === 'UPDATE') return runUpdate(service, context, query, parameters);
  return runQuery(service, context, query, parameters);
}

async function runQuery(
  service: Service,
  context: Context,
  query: string,
  parameters: URLSearchParams,
): Promise<Response> {
  refuseDataset(parameters);
  const form = sparqlForm(query);
  const mediaType = negotiate(context.req.header('Accept') ?? null, offersOf(form));
  const options = queryOptions(context, parameters);
  const { view, revision } = await openView(service, context, parameters);
  const unchanged = notModified(context, revision);
  if (unchanged !== undefined) return unchanged;
  const asRows = (form === 'CONSTRUCT' || form === 'DESCRIBE') && isRowsType(mediaType);
  const chunks = asRows
    ? graphAsRows(view, query, mediaType, options)
    : view.serialize(query, canonicalType(mediaType), options);
  return new Response(await textBody(chunks), {
    headers: { 'Content-Type': contentType(mediaType), ETag: entityTag(revision), Vary: 'Accept' },
  });
}

/** Runs an update as one commit; 204, or `true` in the results type that the client asks for. */
export async function runUpdate(
  service: Service,
  context: Context,
  update: string,
  parameters: URLSearchParams,
): Promise<Response> {
  refuseRevision(parameters, context.req.raw.headers);
  refuseDataset(parameters);
  await requireAccess(service, context, 'write');
  const { timeoutMs } = queryOptions(context, parameters);
  const repository = await openRepository(service, context);
  const options = await commitOptions(context, repository);
  const revision = await repository.update(update, timeoutMs === undefined ? options : { ...options, timeoutMs });
  const headers = { ETag: entityTag(revision) };
  const accept = context.req.header('Accept') ?? '';
  if (!/sparql-results\+json/i.test(accept)) return new Response(null, { status: 204, headers });
  const body = `${JSON.stringify({ head: {}, boolean: true })}\n`;
  return new Response(body, {
    headers: { ...headers, 'Content-Type': contentType('application/sparql-results+json') },
  });
}

function offersOf(form: SparqlForm | undefined): readonly string[] {
  if (form === 'ASK') return ASK_OFFERS;
  return form === 'CONSTRUCT' || form === 'DESCRIBE' ? GRAPH_OFFERS : SELECT_OFFERS;
}

function theOne(parameters: URLSearchParams, name: string): string {
  const values = parameters.getAll(name);
  if (values.length === 1 && values[0] !== undefined) return values[0];
  throw badRequest(values.length === 0 ? `the parameter ${name} is missing` : `${name} is given more than once`);
}

/** `timeout` is in seconds, as other servers of this protocol take it; fractions are fine. */
function queryOptions(context: Context, parameters: URLSearchParams): QueryOptions {
  const { signal } = context.req.raw;
  const text = parameters.get('timeout')?.trim() ?? '';
  if (text === '') return { signal };
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 86_400)) throw badRequest(`timeout is not a number of seconds: ${text.slice(0, 50)}`);
  return { signal, timeoutMs: Math.ceil(seconds * 1000) };
}

function refuseDataset(parameters: URLSearchParams): void {
  const name = DATASET_PARAMETERS.find((parameter) => parameters.has(parameter));
  if (name === undefined) return;
  throw new HttpError('NOT_IMPLEMENTED', `this server does not take ${name} yet; use FROM or USING in the text`);
}
