/** Every path and what stands behind it. The other path forms are folded into these by path.ts. */
import type { Handlers, Service } from '../service.js';
import { metaRoute } from './meta.js';
import { repositoriesRoute } from './repositories.js';
import { repositoryRoute } from './repository.js';
import { sizeRoute } from './size.js';
import { sparqlRoute } from './sparql.js';
import { statementsRoute } from './statements.js';

export function routes(service: Service): [path: string, handlers: Handlers][] {
  return [
    ['/:account/repositories', repositoriesRoute(service)],
    ['/:account/:repository', repositoryRoute(service)],
    ['/:account/:repository/meta', metaRoute(service)],
    ['/:account/:repository/size', sizeRoute(service)],
    ['/:account/:repository/sparql', sparqlRoute(service)],
    ['/:account/:repository/statements', statementsRoute(service)],
  ];
}
