/** The service behind a server: accounts, tokens, rights, repositories, jobs, imports and limits. It contains no HTTP. */
export { openAccounts, openService, type Service } from './service.js';
export { DEFAULT_SERVICE_LIMITS, type ServiceLimits, type ServiceOptions } from './options.js';
export { accountRecord, type AccountRecord } from './accounts/account-record.js';
export type { BackgroundQueries } from './queries/background-queries.js';
export type { GateFigures, QueryGate, QueryRequest } from './queries/query-gate.js';
export type { QueryLimitOptions, QueryLimits } from './queries/query-limits.js';
export type { Turn } from './queries/turn.js';
export { behind, type ServerState } from './monitoring/store-servers.js';
export type { ServiceState } from './monitoring/service-state.js';
export type { Account, AccountFields, Accounts } from './accounts/accounts.js';
export type { Administration, TokenFields } from './accounts/administration.js';
export type { AuditAction, AuditEntry } from './accounts/audit.js';
export { checkedExpiry, checkedRights, lacks, mayDo, rightsOfAccount } from './accounts/token-rights.js';
export type { NewToken, Token, TokenOptions, Tokens } from './accounts/tokens.js';
export type { SignInCodes } from './accounts/sign-in-codes.js';
export type { Authenticator } from './accounts/authentication.js';
export type { Callback, CallbackAnswer, Callbacks, CallbackSender } from './jobs/callbacks.js';
export type { KeptAnswer, KeptRequest, KeptRequests, RequestPlace } from './requests/kept-requests.js';
export type { RequestLimiter } from './accounts/request-limiter.js';
export type { Credentials } from './accounts/credentials.js';
export { type CallCount, CallCounts } from './monitoring/call-counts.js';
export { DURATION_BOUNDS, Durations } from './monitoring/durations.js';
export { stoppable, type SenderLimits } from './imports/byte-stream.js';
export { networkOf } from './accounts/network.js';
export { shareOfStrangers, type StrangersBytes } from './accounts/strangers.js';
export { ANONYMOUS, type Caller, isKnown, OPERATOR, type Right } from './accounts/caller.js';
export type { FirstAccount } from './accounts/first-account.js';
export {
  type Access,
  accessOf,
  type Hosting,
  type Need,
  noRepository,
  type Privacy,
  type Rights,
} from './repositories/rights.js';
export { foundBranch, type ServedBranch, type ServedBranches } from './repositories/branches.js';
export { carriedRecords, type MovedParts } from './repositories/moved-records.js';
export { isProtected, protectedBranch, servedBranch } from './repositories/served-branch.js';
export type { ListedRepository, Repositories } from './repositories/repositories.js';
export { checkFields, type RepositoryFields } from './repositories/repository-fields.js';
export type { RepositoryRecord } from './repositories/repository-record.js';
export {
  isJobStatus,
  isWorking,
  type Job,
  type JobError,
  type JobKind,
  type JobRecord,
  jobRecord,
  type JobStatus,
} from './jobs/job.js';
export type { Jobs } from './jobs/jobs.js';
export type { Maintenance, MaintenanceKind } from './repositories/maintenance.js';
export type { ImportRequest, Imports, StartedImport } from './imports/imports.js';
export type { BodySource, ImportSource, UrlSource } from './imports/import-source.js';
export { importFormat, readableTypes } from './imports/import-format.js';
export type { Fetcher, FetchedDocument } from './imports/fetcher.js';
export { ByteBudget } from './byte-budget.js';
export type { Graph } from './repositories/graph.js';
export { type Document, stagedQuads, withStaged } from './transactions/staged-documents.js';
export { type Holder, OpenTransactions, TRANSACTION_IDLE_MS } from './transactions/open-transactions.js';
export type { Removals } from './repositories/removals.js';
export type { Statements } from './repositories/statements.js';
export { noView, type View, type Views } from './queries/views.js';
export { publicError } from './public-error.js';
export { isoTime } from './text.js';
export { isSlug, RESERVED_NAMES, slugOf } from './repositories/slug.js';
export { delay, unref } from './platform/timers.js';
/** The parts that differ between Node.js and browsers. */
export { platform } from '#host-platform';
