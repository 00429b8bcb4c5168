/** `/A/R`: a repository as a whole. */
import type { Context } from '../context.js';
import { jsonResponse } from '../json.js';
import { STATEMENT_OFFERS } from '../media-types.js';
import { negotiate } from '../negotiate.js';
import { namesRevision } from '../revision-ref.js';
import { type Handlers, repositoryName, type Service } from '../service.js';
import { readStatements } from './statements.js';
import { LINK_FORMAT, timemap } from './timemap.js';
import { isSparqlRequest, sparqlGet, sparqlPost } from './sparql.js';
import { Reply } from '../reply.js';

export function repositoryRoute(service: Service): Handlers {
  return {
    async GET(context) {
      if (isSparqlRequest(context)) return sparqlGet(service, context);
      if (wantsTimemap(context)) {
        return timemap(service, context, service.linkFormatAs === 'ntriples' ? 'application/n-triples' : LINK_FORMAT);
      }
      if (wantsStatements(context)) return readStatements(service, context);
      return jsonResponse(await service.hosted.repositories.record(context.caller, repositoryName(context)));
    },
    POST: (context) => sparqlPost(service, context),
    async DELETE(context) {
      await service.hosted.repositories.remove(context.caller, repositoryName(context));
      return new Reply(null, { status: 200 });
    },
  };
}

/** Link-format and nothing else. */
const wantsTimemap = (context: Context): boolean =>
  context.header('Accept')?.split(';')[0]?.trim().toLowerCase() === LINK_FORMAT;

/** The record is JSON; the statements are everything else, and what an old revision has. */
function wantsStatements(context: Context): boolean {
  const { searchParams } = new URL(context.request.url);
  const { headers } = context.request;
  if (namesRevision(searchParams, headers) || headers.has('Accept-Datetime')) return true;
  const offers = [...new Set(['text/plain', JSON_TYPE, ...STATEMENT_OFFERS])];
  return negotiate(headers.get('Accept'), offers) !== JSON_TYPE;
}

const JSON_TYPE = 'application/json';
