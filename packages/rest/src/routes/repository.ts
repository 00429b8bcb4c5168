/** `/A/R`: a repository as a whole. */
import { NotFoundError } from '@quadrille/model';
import { jsonResponse } from '../json.js';
import { recordOf } from '../record.js';
import { type Handlers, openRepository, repositoryName, type Service } from '../service.js';
import { isSparqlRequest, sparqlGet, sparqlPost } from './sparql.js';

export function repositoryRoute(service: Service): Handlers {
  return {
    async GET(context) {
      if (isSparqlRequest(context)) return sparqlGet(service, context);
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
