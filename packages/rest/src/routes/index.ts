/** Every path, what stands behind it and who may ask for it. The other path forms are folded into these by path.ts. */
import type { Access, Method, Route, Service } from '../service.js';
import { accountRoute } from './repository/account.js';
import { collaboratorRoute, collaboratorsRoute } from './repository/collaborators.js';
import { contextsRoute } from './statements/contexts.js';
import { diffRoute } from './history/diff.js';
import { healthRoute, metricsRoute } from './server/health.js';
import { historyRoute } from './history/history.js';
import { directGraphRoute, graphStoreRoute } from './graph-store/graph-store.js';
import { jobRoute, jobsRoute, statusRoute } from './server/jobs.js';
import { authenticatedUserRoute, loginRoute } from './server/login.js';
import { metaRoute } from './repository/meta.js';
import { namespaceRoute, namespacesRoute } from './repository/namespaces.js';
import { openApiRoute } from './server/openapi.js';
import { protocolRoute } from './server/protocol.js';
import { queriesRoute, queryRoute } from './server/queries.js';
import { refRoute, refsRoute } from './history/refs.js';
import { ownRepositoriesRoute, repositoriesRoute } from './repository/repositories.js';
import { repositoryRoute } from './repository/repository.js';
import { resetRoute } from './history/reset.js';
import { revertRoute, revisionRoute, revisionsRoute } from './history/revisions.js';
import { sizeRoute } from './statements/size.js';
import { sparqlRoute } from './sparql/sparql.js';
import { exportRoute, statementsRoute } from './statements/statements.js';
import { transactionRoute, transactionsRoute } from './transactions/transactions.js';
import { namedTimegateRoute, timegateRoute } from './history/timegate.js';
import { linkTimemapRoute, timemapRoute } from './history/timemap.js';
import { viewRoute, viewsRoute } from './sparql/views.js';

/** What the content of a repository asks for by method. */
const CONTENT: Readonly<Record<Method, Access>> = {
  GET: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'write',
};

const OWNER: Readonly<Record<Method, Access>> = {
  GET: 'owner',
  POST: 'owner',
  PUT: 'owner',
  PATCH: 'owner',
  DELETE: 'owner',
};

const READ: Readonly<Partial<Record<Method, Access>>> = { GET: 'read' };

export function routes(service: Service): readonly Route[] {
  const all: readonly Route[] = [
    { path: '/health', handlers: healthRoute(service), access: { GET: 'public' } },
    { path: '/metrics', handlers: metricsRoute(service), access: { GET: 'known' } },
    { path: '/openapi.json', handlers: openApiRoute(service, () => all), access: { GET: 'public' } },
    { path: '/queries', handlers: queriesRoute(service), access: { GET: 'known', DELETE: 'known' } },
    { path: '/queries/:id', handlers: queryRoute(service), access: { GET: 'known', DELETE: 'known' } },
    { path: '/jobs', handlers: jobsRoute(service), access: { GET: 'known' } },
    { path: '/jobs/:id', handlers: jobRoute(service), access: { GET: 'known', DELETE: 'known' } },
    { path: '/rest/security/authenticated-user', handlers: authenticatedUserRoute(service), access: { GET: 'known' } },
    { path: '/rest/login/:user', handlers: loginRoute(service), access: { POST: 'known' } },
    { path: '/repositories', handlers: ownRepositoriesRoute(service), access: { GET: 'known' } },
    { path: '/:account', handlers: accountRoute(service), access: { GET: 'known' } },
    { path: '/:account/protocol', handlers: protocolRoute(service), access: { GET: 'public' } },
    { path: '/:account/repositories', handlers: repositoriesRoute(service), access: { GET: 'public', POST: 'owner' } },
    {
      path: '/:account/:repository',
      handlers: repositoryRoute(service),
      access: { GET: 'read', POST: 'read', DELETE: 'owner' },
    },
    { path: '/:account/:repository/meta', handlers: metaRoute(service), access: { GET: 'read', PUT: 'owner' } },
    { path: '/:account/:repository/status', handlers: statusRoute(service), access: READ },
    { path: '/:account/:repository/collaborators', handlers: collaboratorsRoute(service), access: OWNER },
    {
      path: '/:account/:repository/collaborators/:collaborator',
      handlers: collaboratorRoute(service),
      access: OWNER,
    },
    { path: '/:account/:repository/export/:extension', handlers: exportRoute(service), access: READ },
    { path: '/:account/:repository/size', handlers: sizeRoute(service), access: CONTENT },
    // A POST may carry a query; the route itself asks for the right to write where it carries an update.
    { path: '/:account/:repository/sparql', handlers: sparqlRoute(service), access: { GET: 'read', POST: 'read' } },
    { path: '/:account/:repository/contexts', handlers: contextsRoute(service), access: CONTENT },
    { path: '/:account/:repository/namespaces', handlers: namespacesRoute(service), access: CONTENT },
    { path: '/:account/:repository/namespaces/:prefix', handlers: namespaceRoute(service), access: CONTENT },
    { path: '/:account/:repository/timemap', handlers: timemapRoute(service), access: READ },
    { path: '/:account/:repository/timemap/link/:uri{.+}', handlers: linkTimemapRoute(service), access: READ },
    { path: '/:account/:repository/timegate', handlers: timegateRoute(service), access: READ },
    { path: '/:account/:repository/timegate/:uri{.+}', handlers: namedTimegateRoute(service), access: READ },
    { path: '/:account/:repository/revisions', handlers: revisionsRoute(service), access: READ },
    { path: '/:account/:repository/revisions/:ref', handlers: revisionRoute(service), access: READ },
    { path: '/:account/:repository/revisions/:ref/revert', handlers: revertRoute(service), access: CONTENT },
    { path: '/:account/:repository/reset', handlers: resetRoute(service), access: CONTENT },
    { path: '/:account/:repository/diff', handlers: diffRoute(service), access: READ },
    { path: '/:account/:repository/history', handlers: historyRoute(service), access: READ },
    { path: '/:account/:repository/views', handlers: viewsRoute(service), access: READ },
    { path: '/:account/:repository/views/:view', handlers: viewRoute(service), access: { ...CONTENT, POST: 'read' } },
    { path: '/:account/:repository/refs', handlers: refsRoute(service), access: READ },
    { path: '/:account/:repository/refs/:name{.+}', handlers: refRoute(service), access: CONTENT },
    {
      path: '/:account/:repository/transactions',
      handlers: transactionsRoute(service),
      access: CONTENT,
    },
    {
      path: '/:account/:repository/transactions/:id',
      handlers: transactionRoute(service),
      access: { ...CONTENT, GET: 'write' },
    },
    { path: '/:account/:repository/service', handlers: graphStoreRoute(service), access: CONTENT },
    { path: '/:account/:repository/rdf-graphs/service', handlers: graphStoreRoute(service), access: CONTENT },
    { path: '/:account/:repository/rdf-graphs/:graph{.+}', handlers: directGraphRoute(service), access: CONTENT },
    { path: '/:account/:repository/graphs/:graph{.+}', handlers: directGraphRoute(service), access: CONTENT },
    { path: '/:account/:repository/statements', handlers: statementsRoute(service), access: CONTENT },
    ...(service.directGraphs
      ? [{ path: '/:account/:repository/:graph{.+}', handlers: directGraphRoute(service), access: CONTENT }]
      : []),
  ];
  return all;
}
