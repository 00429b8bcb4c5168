/** `/A/R`: a repository as a whole. */
import { typeOf } from '../../message/header-list.js';
import type { Context } from '../../context.js';
import { commitConditions, hasCondition } from '../../message/conditional.js';
import { jsonReply } from '../../message/json-reply.js';
import { STATEMENT_OFFERS } from '../../documents/media-types.js';
import { negotiate } from '../../message/negotiate.js';
import { refuseBranch } from '../../parameters/branch.js';
import { namesRevision } from '../../parameters/revision-ref.js';
import { repositoryPage } from '../../documents/repository-page.js';
import { type Handlers, openRepository, repositoryName, repositoryUrl, type Service } from '../../service.js';
import { readStatements } from '../statements/statements.js';
import { LINK_FORMAT, timemap } from '../memento/timemap.js';
import { isSparqlRequest, sparqlGet, sparqlPost } from '../sparql/sparql.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form, typed, REPOSITORY_PATH as R } from '../resource.js';
import { RANGE, QUERY, QUERY_OR_UPDATE, READ } from '../../parameters/lists.js';
import { QUERY_TYPES, QUERY_ANSWERS, STATEMENTS_OR_DIFF } from '../media-types.js';

export const repositoryResource: Resource = {
  path: R,
  once: (method) => method === 'POST',
  handlers: repositoryRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(...new Set([...READ, ...QUERY, ...RANGE])),
      summary: 'The statements; the record as JSON; the timemap as link-format; the answer of a query',
      gives: [...new Set([...STATEMENTS_OR_DIFF, ...QUERY_ANSWERS, 'application/link-format', 'text/html'])],
    },
    POST: {
      access: 'read',
      ...typed(...QUERY_OR_UPDATE),
      summary: 'Answer a query, or make an update',
      also: [204],
      takes: QUERY_TYPES,
      gives: QUERY_ANSWERS,
    },
    DELETE: { access: 'owner', ...form(), summary: 'Delete the repository', status: 200 },
  },
};

function repositoryRoute(service: Service): Handlers {
  return {
    async GET(context) {
      if (isSparqlRequest(context)) return sparqlGet(service, context);
      if (wantsTimemap(context)) {
        return timemap(service, context, service.linkFormatAs === 'ntriples' ? 'application/n-triples' : LINK_FORMAT);
      }
      const wanted = representationOf(context);
      if (wanted === 'statements') return readStatements(service, context);
      const record = await service.hosted.repositories.record(context.caller, repositoryName(context), context.branch);
      return wanted === 'page' ? repositoryPage(record, repositoryUrl(service, context)) : jsonReply(record);
    },
    POST: (context) => sparqlPost(service, context),
    async DELETE(context) {
      // Somebody who names a branch means it, and not the repository.
      refuseBranch(context, `DELETE ${context.path}/branches/NAME deletes a branch`);
      // The condition was checked before; a commit may come until the deletion.
      const { ifRevision } = hasCondition(context)
        ? await commitConditions(context, await openRepository(service, context))
        : {};
      await service.hosted.repositories.remove(context.caller, repositoryName(context), { ifRevision });
      return new Reply(null, { status: 200 });
    },
  };
}

/** Whether the first type of Accept is the link format. */
const wantsTimemap = (context: Context): boolean => typeOf(context.header('Accept')) === LINK_FORMAT;

const JSON_TYPE = 'application/json';
const HTML = 'text/html';
const OFFERS = [...new Set(['text/plain', JSON_TYPE, ...STATEMENT_OFFERS, HTML])];

/** JSON is the record, HTML the page. All other types, and all requests for an old revision, mean the statements. */
function representationOf(context: Context): 'statements' | 'record' | 'page' {
  const { headers } = context.request;
  if (namesRevision(context.parameters, headers) || headers.has('Accept-Datetime')) return 'statements';
  const type = negotiate(headers.get('Accept'), OFFERS);
  if (type === HTML) return 'page';
  return type === JSON_TYPE ? 'record' : 'statements';
}
