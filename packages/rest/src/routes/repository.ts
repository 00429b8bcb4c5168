/** `/A/R`: a repository as a whole. */
import { NotFoundError } from '@quadrille/model';
import type { Context } from 'hono';
import { jsonResponse } from '../json.js';
import { STATEMENT_OFFERS } from '../media-types.js';
import { negotiate } from '../negotiate.js';
import { recordOf } from '../record.js';
import { namesRevision } from '../revision-ref.js';
import { type Handlers, openRepository, repositoryName, type Service } from '../service.js';
import { readStatements } from './statements.js';
import { LINK_FORMAT, timemap } from './timemap.js';
import { isSparqlRequest, sparqlGet, sparqlPost } from './sparql.js';

export function repositoryRoute(service: Service): Handlers {
  return {
    async GET(context) {
      if (isSparqlRequest(context)) return sparqlGet(service, context);
      if (wantsTimemap(context)) {
        return timemap(service, context, service.linkFormatAs === 'ntriples' ? 'application/n-triples' : LINK_FORMAT);
      }
      if (wantsStatements(context)) return readStatements(service, context);
      return jsonResponse(await recordOf(await openRepository(service, context)));
    },
    POST: (context) => sparqlPost(service, context),
    async DELETE(context) {
      const name = repositoryName(context);
      if (!(await service.database.deleteRepository(name))) {
        throw new NotFoundError('REPOSITORY_NOT_FOUND', `there is no repository ${name}`);
      }
      return new Response(null, { status: 200 });
    },
  };
}

/** Link-format and nothing else. */
const wantsTimemap = (context: Context): boolean =>
  context.req.header('Accept')?.split(';')[0]?.trim().toLowerCase() === LINK_FORMAT;

/** The record is JSON; the statements are everything else, and what an old revision has. */
function wantsStatements(context: Context): boolean {
  const { searchParams } = new URL(context.req.url);
  const { headers } = context.req.raw;
  if (namesRevision(searchParams, headers) || headers.has('Accept-Datetime')) return true;
  const offers = [...new Set(['text/plain', JSON_TYPE, ...STATEMENT_OFFERS])];
  return negotiate(headers.get('Accept'), offers) !== JSON_TYPE;
}

const JSON_TYPE = 'application/json';
