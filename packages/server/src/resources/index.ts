/** All resources. If several addresses match a path, the first one wins. */
import type { Route, Service } from '../service.js';
import { healthResource, readyResource, metricsResource } from './server/health.js';
import { openApiResource } from './server/openapi.js';
import { systemResource } from './server/system.js';
import { sessionResource } from './server/session.js';
import { backupResource } from './server/backup.js';
import { mcpResource } from './server/mcp.js';
import { accountsResource, accountOfServerResource } from './server/accounts.js';
import { serversResource } from './server/servers.js';
import { auditResource, repositoryAuditResource } from './server/audit.js';
import { queriesResource, queryResource } from './server/queries.js';
import { jobsResource, jobResource, problemsResource, statusResource } from './server/jobs.js';
import { authenticatedUserResource, loginResource } from './server/login.js';
import { ownRepositoriesResource, repositoriesResource } from './repository/repositories.js';
import { accountResource } from './repository/account.js';
import { protocolResource } from './server/protocol.js';
import { tokensResource, tokenResource } from './server/tokens.js';
import {
  accountNamespacesResource,
  accountNamespaceResource,
  namespacesResource,
  namespaceResource,
} from './repository/namespaces.js';
import { repositoryResource } from './repository/repository.js';
import { metaResource } from './repository/meta.js';
import { settingsResource } from './repository/settings.js';
import { eraseResource } from './history/erase.js';
import { forkResource } from './repository/fork.js';
import { maintenanceResource } from './repository/maintenance.js';
import { collaboratorsResource, collaboratorResource } from './repository/collaborators.js';
import { timemapResource, linkTimemapResource } from './memento/timemap.js';
import { timegateResource, namedTimegateResource } from './memento/timegate.js';
import { revisionsResource, revisionResource, revertResource } from './history/revisions.js';
import { cherryPickResource, mergeResource } from './branches/merge.js';
import { branchesResource, branchResource } from './branches/branches.js';
import { resetResource } from './history/reset.js';
import { blameResource } from './history/blame.js';
import { changesResource } from './history/changes.js';
import { streamResource, streamPageResource } from './event-stream/event-stream.js';
import { digestResource } from './history/digest.js';
import { validateResource } from './history/validate.js';
import { commonResource } from './history/history-transfer.js';
import { diffResource } from './history/diff.js';
import { historyResource } from './history/history.js';
import { refsResource, refResource } from './history/refs.js';
import { sparqlResource } from './sparql/sparql.js';
import { liveResource } from './sparql/live.js';
import { parseResource } from './sparql/parse.js';
import { viewsResource, viewResource } from './sparql/views.js';
import { transactionsResource, transactionResource } from './transactions/transactions.js';
import { statementsResource, exportResource } from './statements/statements.js';
import { sizeResource } from './statements/size.js';
import { fragmentsResource } from './fragments/fragments.js';
import { schemaResource } from './overview/schema.js';
import { searchResource } from './overview/search.js';
import { termsResource } from './overview/terms.js';
import { contextsResource } from './statements/contexts.js';
import {
  graphStoreResource,
  rdfGraphStoreResource,
  rdfGraphResource,
  graphResource,
  anyPathGraphResource,
} from './graph-store/graph-store.js';
import { type Resource, servedBy } from './resource.js';

export const RESOURCES: readonly Resource[] = [
  healthResource,
  readyResource,
  metricsResource,
  openApiResource,
  systemResource,
  sessionResource,
  backupResource,
  mcpResource,
  accountsResource,
  accountOfServerResource,
  serversResource,
  auditResource,
  queriesResource,
  queryResource,
  jobsResource,
  jobResource,
  problemsResource,
  authenticatedUserResource,
  loginResource,
  ownRepositoriesResource,
  accountResource,
  protocolResource,
  tokensResource,
  tokenResource,
  accountNamespacesResource,
  accountNamespaceResource,
  repositoriesResource,
  repositoryResource,
  metaResource,
  settingsResource,
  repositoryAuditResource,
  eraseResource,
  forkResource,
  statusResource,
  maintenanceResource,
  collaboratorsResource,
  collaboratorResource,
  namespacesResource,
  namespaceResource,
  timemapResource,
  linkTimemapResource,
  timegateResource,
  namedTimegateResource,
  revisionsResource,
  revisionResource,
  revertResource,
  cherryPickResource,
  branchesResource,
  mergeResource,
  branchResource,
  resetResource,
  blameResource,
  changesResource,
  streamResource,
  streamPageResource,
  digestResource,
  validateResource,
  commonResource,
  diffResource,
  historyResource,
  refsResource,
  refResource,
  sparqlResource,
  liveResource,
  parseResource,
  viewsResource,
  viewResource,
  transactionsResource,
  transactionResource,
  statementsResource,
  exportResource,
  sizeResource,
  fragmentsResource,
  schemaResource,
  termsResource,
  searchResource,
  contextsResource,
  graphStoreResource,
  rdfGraphStoreResource,
  rdfGraphResource,
  graphResource,
  anyPathGraphResource,
];

/** What a server answers: all resources, but those that its options leave out. */
export function routes(service: Service): readonly Route[] {
  return servedBy(service, RESOURCES).map(({ handlers, ...resource }) => ({
    ...resource,
    handlers: handlers(service, RESOURCES),
  }));
}
