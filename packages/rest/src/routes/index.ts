/** Every path, what stands behind it and who may ask for it. The other path forms are folded into these by path.ts. */
import type { Access, Method, Route, Service } from '../service.js';
import { contextsRoute } from './contexts.js';
import { metaRoute } from './meta.js';
import { namespaceRoute, namespacesRoute } from './namespaces.js';
import { protocolRoute } from './protocol.js';
import { queriesRoute, queryRoute } from './queries.js';
import { repositoriesRoute } from './repositories.js';
import { repositoryRoute } from './repository.js';
import { sizeRoute } from './size.js';
import { sparqlRoute } from './sparql.js';
import { statementsRoute } from './statements.js';

/** What the content of a repository asks for by method. */
const CONTENT: Readonly<Record<Method, Access>> = {
  GET: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'write',
};

export function routes(service: Service): readonly Route[] {
  return [
    { path: '/queries', handlers: queriesRoute(service), access: { GET: 'known', DELETE: 'known' } },
    { path: '/queries/:id', handlers: queryRoute(service), access: { GET: 'known', DELETE: 'known' } },
    { path: '/:account/protocol', handlers: protocolRoute(), access: { GET: 'public' } },
    { path: '/:account/repositories', handlers: repositoriesRoute(service), access: { GET: 'public', POST: 'owner' } },
    {
      path: '/:account/:repository',
      handlers: repositoryRoute(service),
      access: { GET: 'read', POST: 'read', DELETE: 'owner' },
    },
    { path: '/:account/:repository/meta', handlers: metaRoute(service), access: { GET: 'read', PUT: 'owner' } },
    { path: '/:account/:repository/size', handlers: sizeRoute(service), access: CONTENT },
    // A POST may carry a query; the route itself asks for the right to write where it carries an update.
    { path: '/:account/:repository/sparql', handlers: sparqlRoute(service), access: { GET: 'read', POST: 'read' } },
    { path: '/:account/:repository/contexts', handlers: contextsRoute(service), access: CONTENT },
    { path: '/:account/:repository/namespaces', handlers: namespacesRoute(service), access: CONTENT },
    { path: '/:account/:repository/namespaces/:prefix', handlers: namespaceRoute(service), access: CONTENT },
    { path: '/:account/:repository/statements', handlers: statementsRoute(service), access: CONTENT },
  ];
}
