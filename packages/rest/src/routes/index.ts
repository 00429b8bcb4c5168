/** Every path, what stands behind it and who may ask for it. The other path forms are folded into these by path.ts. */
import type { Access, Method, Route, Service } from '../service.js';
import { metaRoute } from './meta.js';
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
    { path: '/:account/:repository/statements', handlers: statementsRoute(service), access: CONTENT },
  ];
}
