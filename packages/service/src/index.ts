/** What a server hosts: accounts, tokens, rights, repositories, jobs, imports and limits. No HTTP in it. */
export { openAccounts, openService, type Service } from './service.js';
export { DEFAULT_SERVICE_LIMITS, type ServiceLimits, type ServiceOptions } from './options.js';
export { accountRecord, type AccountRecord } from './account-record.js';
export type { BackgroundQueries } from './background-queries.js';
export type { ServiceState } from './service-state.js';
export type { Account, AccountFields, Accounts } from './accounts.js';
export type { NewToken, Token, Tokens } from './tokens.js';
export type { Authenticator } from './authentication.js';
export type { Callback, Callbacks, CallbackSender } from './callbacks.js';
export type { RequestLimiter } from './request-limiter.js';
export { type Credentials, readAuthorization } from './credentials.js';
export { type AllowedOrigins, type Fields, originFields, preflightFields } from './web-pages.js';
export { type CallCount, CallCounts } from './call-counts.js';
export { DURATION_BOUNDS, Durations } from './durations.js';
export { forwardedAddress } from './client-address.js';
export { ANONYMOUS, type Caller, isKnown, OPERATOR } from './caller.js';
export type { FirstAccount } from './first-account.js';
export { type Access, accessOf, type Hosting, type Need, type Privacy, type Rights } from './rights.js';
export type { ListedRepository, Repositories } from './repositories.js';
export { checkFields, fieldsOfForm, fieldsOfJson, type RepositoryFields } from './repository-fields.js';
export type { RepositoryRecord } from './repository-record.js';
export {
  isJobStatus,
  isWorking,
  type Job,
  type JobKind,
  type JobRecord,
  jobRecord,
  type JobStatus,
  publicError,
} from './job.js';
export type { Jobs } from './jobs.js';
export type { ImportRequest, Imports, StartedImport } from './imports.js';
export type { BodySource, ImportSource, UrlSource } from './import-source.js';
export { importFormat, readableTypes } from './import-format.js';
export type { Fetcher, FetchedDocument } from './fetcher.js';
export type { Graph } from './load-graphs.js';
export type { Statements } from './statements.js';
export { noView, type View, type Views } from './views.js';
export { isoTime } from './time.js';
export { isSlug, RESERVED_NAMES, slugOf } from './slug.js';
