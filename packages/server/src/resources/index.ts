/** The table of routes: paths, handlers and the rights that each method needs. Their parameters are in `parameter-lists.ts`. */
import type { Access, Method, Route, Service } from '../service.js';
import { accountRoute } from './repository/account.js';
import { accountOfServerRoute, accountsRoute } from './server/accounts.js';
import { auditRoute, repositoryAuditRoute } from './server/audit.js';
import { backupRoute } from './server/backup.js';
import { blameRoute } from './history/blame.js';
import { branchesRoute, branchRoute } from './branches/branches.js';
import { cherryPickRoute, mergeRoute } from './branches/merge.js';
import { changesRoute } from './history/changes.js';
import { collaboratorRoute, collaboratorsRoute } from './repository/collaborators.js';
import { contextsRoute } from './statements/contexts.js';
import { diffRoute } from './history/diff.js';
import { digestRoute } from './history/digest.js';
import { healthRoute, metricsRoute, readyRoute } from './server/health.js';
import { streamPageRoute, streamRoute } from './event-stream/event-stream.js';
import { fragmentsRoute } from './fragments/fragments.js';
import { eraseRoute } from './history/erase.js';
import { forkRoute } from './repository/fork.js';
import { historyRoute } from './history/history.js';
import { commonRoute } from './history/history-transfer.js';
import { directGraphRoute, graphStoreRoute } from './graph-store/graph-store.js';
import { jobRoute, jobsRoute, problemsRoute, statusRoute } from './server/jobs.js';
import { authenticatedUserRoute, loginRoute } from './server/login.js';
import { maintenanceRoute } from './repository/maintenance.js';
import { metaRoute } from './repository/meta.js';
import {
  accountNamespaceRoute,
  accountNamespacesRoute,
  namespaceRoute,
  namespacesRoute,
} from './repository/namespaces.js';
import { openApiRoute } from './server/openapi.js';
import { liveRoute } from './sparql/live.js';
import { parseRoute } from './sparql/parse.js';
import { protocolRoute } from './server/protocol.js';
import { queriesRoute, queryRoute } from './server/queries.js';
import { refRoute, refsRoute } from './history/refs.js';
import { ownRepositoriesRoute, repositoriesRoute } from './repository/repositories.js';
import { repositoryRoute } from './repository/repository.js';
import { resetRoute } from './history/reset.js';
import { revertRoute, revisionRoute, revisionsRoute } from './history/revisions.js';
import { settingsRoute } from './repository/settings.js';
import { schemaRoute } from './overview/schema.js';
import { serversRoute } from './server/servers.js';
import { sessionRoute } from './server/session.js';
import { sizeRoute } from './statements/size.js';
import { sparqlRoute } from './sparql/sparql.js';
import { systemRoute } from './server/system.js';
import { tokenRoute, tokensRoute } from './server/tokens.js';
import { termsRoute } from './overview/terms.js';
import { exportRoute, statementsRoute } from './statements/statements.js';
import { transactionRoute, transactionsRoute } from './transactions/transactions.js';
import { namedTimegateRoute, timegateRoute } from './history/timegate.js';
import { linkTimemapRoute, timemapRoute } from './history/timemap.js';
import { REPOSITORY_PATH } from './parameter-lists.js';
import { viewRoute, viewsRoute } from './sparql/views.js';

/** The rights for the content of a repository, by method. */
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

const always = (): boolean => true;
const isPost = (method: string): boolean => method === 'POST';
/** Of a transaction: its other actions are no commits. */
const isCommit = (_: string, parameters: URLSearchParams): boolean =>
  parameters.get('action')?.trim().toUpperCase() === 'COMMIT';

const R = REPOSITORY_PATH;
const READ: Readonly<Partial<Record<Method, Access>>> = { GET: 'read' };

/** If several patterns match a path, the first one wins. */
export function routes(service: Service): readonly Route[] {
  const all: readonly Route[] = [
    ...serverRoutes(service, () => all),
    ...accountRoutes(service),
    ...repositoryRoutes(service),
    ...historyRoutes(service),
    ...sparqlRoutes(service),
    ...transactionRoutes(service),
    ...statementRoutes(service),
  ];
  return all;
}

const serverRoutes = (service: Service, all: () => readonly Route[]): readonly Route[] => [
  { path: '/health', handlers: healthRoute(), access: { GET: 'public' } },
  { path: '/ready', handlers: readyRoute(service), access: { GET: 'public' } },
  { path: '/metrics', handlers: metricsRoute(service), access: { GET: 'operator' } },
  { path: '/openapi.json', handlers: openApiRoute(service, all), access: { GET: 'public' } },
  { path: '/system', handlers: systemRoute(service), access: { GET: 'public' } },
  { path: '/session', handlers: sessionRoute(service), access: { GET: 'known', POST: 'public' } },
  { path: '/backup', handlers: backupRoute(service), access: { POST: 'operator' } },
  { path: '/accounts', handlers: accountsRoute(service), access: { GET: 'operator', POST: 'operator' } },
  {
    path: '/accounts/:account',
    handlers: accountOfServerRoute(service),
    access: { GET: 'known', DELETE: 'operator' },
    isTagged: true,
  },
  { path: '/servers', handlers: serversRoute(service), access: { GET: 'operator' } },
  { path: '/audit', handlers: auditRoute(service), access: { GET: 'operator' } },
  { path: '/queries', handlers: queriesRoute(service), access: { GET: 'known', DELETE: 'known' } },
  { path: '/queries/:id', handlers: queryRoute(service), access: { GET: 'known', DELETE: 'known' } },
  { path: '/jobs', handlers: jobsRoute(service), access: { GET: 'known' } },
  { path: '/jobs/:id', handlers: jobRoute(service), access: { GET: 'known', PATCH: 'known', DELETE: 'known' } },
  { path: '/jobs/:id/problems', handlers: problemsRoute(service), access: { GET: 'known' } },
  { path: '/rest/security/authenticated-user', handlers: authenticatedUserRoute(service), access: { GET: 'known' } },
  { path: '/rest/login/:user', handlers: loginRoute(service), access: { POST: 'known' } },
  { path: '/repositories', handlers: ownRepositoriesRoute(service), access: { GET: 'public' } },
];

const accountRoutes = (service: Service): readonly Route[] => [
  { path: '/:account', handlers: accountRoute(service), access: { GET: 'known' } },
  { path: '/:account/protocol', handlers: protocolRoute(service), access: { GET: 'public' } },
  { path: '/:account/tokens', handlers: tokensRoute(service), access: OWNER },
  { path: '/:account/tokens/:id', handlers: tokenRoute(service), access: OWNER },
  { path: '/:account/namespaces', handlers: accountNamespacesRoute(service), access: OWNER, isTagged: true },
  { path: '/:account/namespaces/:prefix', handlers: accountNamespaceRoute(service), access: OWNER, isTagged: true },
  { path: '/:account/repositories', handlers: repositoriesRoute(service), access: { GET: 'public', POST: 'owner' } },
];

const repositoryRoutes = (service: Service): readonly Route[] => [
  { path: R, handlers: repositoryRoute(service), access: { GET: 'read', POST: 'read', DELETE: 'owner' }, once: isPost },
  { path: `${R}/meta`, handlers: metaRoute(service), access: { GET: 'read', PUT: 'owner' } },
  { path: `${R}/settings`, handlers: settingsRoute(service), access: OWNER, isTagged: true },
  { path: `${R}/audit`, handlers: repositoryAuditRoute(service), access: { GET: 'owner' } },
  { path: `${R}/erase`, handlers: eraseRoute(service), access: { POST: 'owner' } },
  { path: `${R}/fork`, handlers: forkRoute(service), access: { POST: 'owner' } },
  { path: `${R}/status`, handlers: statusRoute(service), access: READ },
  { path: `${R}/jobs`, handlers: maintenanceRoute(service), access: { POST: 'owner' } },
  { path: `${R}/collaborators`, handlers: collaboratorsRoute(service), access: OWNER },
  { path: `${R}/collaborators/:collaborator`, handlers: collaboratorRoute(service), access: OWNER, isTagged: true },
  { path: `${R}/namespaces`, handlers: namespacesRoute(service), access: CONTENT, isTagged: true },
  { path: `${R}/namespaces/:prefix`, handlers: namespaceRoute(service), access: CONTENT, isTagged: true },
];

const historyRoutes = (service: Service): readonly Route[] => [
  { path: `${R}/timemap`, handlers: timemapRoute(service), access: READ },
  { path: `${R}/timemap/link/:uri{.+}`, handlers: linkTimemapRoute(service), access: READ },
  { path: `${R}/timegate`, handlers: timegateRoute(service), access: READ },
  { path: `${R}/timegate/:uri{.+}`, handlers: namedTimegateRoute(service), access: READ },
  { path: `${R}/revisions`, handlers: revisionsRoute(service), access: { GET: 'read', DELETE: 'owner' } },
  { path: `${R}/revisions/:ref`, handlers: revisionRoute(service), access: READ },
  { path: `${R}/revisions/:ref/revert`, handlers: revertRoute(service), access: CONTENT, once: always },
  { path: `${R}/revisions/:ref/cherry-pick`, handlers: cherryPickRoute(service), access: CONTENT, once: always },
  { path: `${R}/branches`, handlers: branchesRoute(service), access: READ },
  { path: `${R}/branches/:name/merge`, handlers: mergeRoute(service), access: CONTENT, once: always },
  { path: `${R}/branches/:name{.+}`, handlers: branchRoute(service), access: CONTENT, isTagged: true },
  { path: `${R}/reset`, handlers: resetRoute(service), access: CONTENT, once: always },
  { path: `${R}/blame`, handlers: blameRoute(service), access: READ },
  { path: `${R}/changes`, handlers: changesRoute(service), access: CONTENT, once: always },
  { path: `${R}/ldes`, handlers: streamRoute(service), access: READ },
  { path: `${R}/ldes/:page`, handlers: streamPageRoute(service), access: READ },
  { path: `${R}/digest`, handlers: digestRoute(service), access: READ },
  { path: `${R}/changes/common`, handlers: commonRoute(service), access: { POST: 'read' } },
  { path: `${R}/diff`, handlers: diffRoute(service), access: READ },
  { path: `${R}/history`, handlers: historyRoute(service), access: READ },
  { path: `${R}/refs`, handlers: refsRoute(service), access: READ },
  { path: `${R}/refs/:name{.+}`, handlers: refRoute(service), access: CONTENT, isTagged: true },
];

const sparqlRoutes = (service: Service): readonly Route[] => [
  // A POST may contain a query. For an update the route checks the right to write.
  { path: `${R}/sparql`, handlers: sparqlRoute(service), access: { GET: 'read', POST: 'read' }, once: always },
  { path: `${R}/live`, handlers: liveRoute(service), access: READ },
  { path: `${R}/parse`, handlers: parseRoute(service), access: { POST: 'read' } },
  { path: `${R}/views`, handlers: viewsRoute(service), access: READ },
  { path: `${R}/views/:view`, handlers: viewRoute(service), access: { ...CONTENT, POST: 'read' }, isTagged: true },
];

const transactionRoutes = (service: Service): readonly Route[] => [
  { path: `${R}/transactions`, handlers: transactionsRoute(service), access: CONTENT },
  // A GET also uses a transaction, which only a client with the right to write can begin.
  {
    path: `${R}/transactions/:id`,
    handlers: transactionRoute(service),
    access: { ...CONTENT, GET: 'write' },
    once: isCommit,
  },
];

const statementRoutes = (service: Service): readonly Route[] => [
  { path: `${R}/statements`, handlers: statementsRoute(service), access: CONTENT, once: always },
  { path: `${R}/export/:extension`, handlers: exportRoute(service), access: READ },
  { path: `${R}/size`, handlers: sizeRoute(service), access: CONTENT },
  { path: `${R}/tpf`, handlers: fragmentsRoute(service), access: READ },
  { path: `${R}/schema`, handlers: schemaRoute(service), access: READ },
  { path: `${R}/terms`, handlers: termsRoute(service), access: READ },
  { path: `${R}/contexts`, handlers: contextsRoute(service), access: CONTENT },
  { path: `${R}/service`, handlers: graphStoreRoute(service), access: CONTENT, once: always },
  { path: `${R}/rdf-graphs/service`, handlers: graphStoreRoute(service), access: CONTENT, once: always },
  { path: `${R}/rdf-graphs/:graph{.+}`, handlers: directGraphRoute(service), access: CONTENT, once: always },
  { path: `${R}/graphs/:graph{.+}`, handlers: directGraphRoute(service), access: CONTENT, once: always },
  ...(service.directGraphs
    ? [{ path: `${R}/:graph{.+}`, handlers: directGraphRoute(service), access: CONTENT, once: always }]
    : []),
];
