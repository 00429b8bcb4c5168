/** A service over an open database: what is hosted, by whom and for whom. */
import type { Database } from 'quadrille';
import { Accounts } from './accounts.js';
import { Authenticator } from './authentication.js';
import { FailureLimiter } from './failure-limiter.js';
import { ensureFirstAccount, type FirstAccount } from './first-account.js';
import { Imports } from './imports.js';
import type { Job } from './job.js';
import { JobLog } from './job-log.js';
import { Jobs } from './jobs.js';
import { type ServiceLimits, serviceLimits, type ServiceOptions } from './options.js';
import { Queries } from './queries.js';
import { Repositories } from './repositories.js';
import { Rights } from './rights.js';
import { Statements } from './statements.js';
import { Tokens } from './tokens.js';

export interface Service {
  readonly database: Database;
  readonly limits: ServiceLimits;
  /** What a PUT of statements does. */
  readonly put: 'replace' | 'merge';
  /** For the operator: they ask for no caller. */
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly authenticator: Authenticator;
  /** For callers: each call says what it refuses. */
  readonly rights: Rights;
  readonly repositories: Repositories;
  readonly statements: Statements;
  readonly imports: Imports;
  readonly jobs: Jobs;
  readonly queries: Queries;
  /** Jobs that were under way when the last process ended; they have failed. */
  readonly interrupted: readonly Job[];
  /** The account and token of a store that is served for the first time; `undefined` ever after. */
  ensureFirstAccount(): Promise<FirstAccount | undefined>;
  /** Aborts imports and queries and waits for the imports. The database stays open. */
  close(): Promise<void>;
}

/**
 * Opens the service of a database. One at a time: it keeps jobs in memory.
 * @throws InvalidArgumentError `INVALID_OPTION`
 * @example
 * const service = await openService(await open('./data'));
 * const caller = await service.authenticator.identify(request.headers.get('authorization'), address);
 * const repository = await service.rights.open(caller, 'acme/people', 'read');
 */
export async function openService(database: Database, options: ServiceOptions = {}): Promise<Service> {
  const limits = serviceLimits(options.limits);
  const { now = Date.now, open = false, rateLimit = true, put = 'replace', logger, fetch } = options;
  const accounts = new Accounts(database);
  const tokens = new Tokens(database, accounts, limits.tokensPerAccount, now);
  accounts.onRemoved = (name) => tokens.revokeAll(name);
  const limiter = rateLimit ? new FailureLimiter(limits.failuresPerMinute, now) : undefined;
  const { log, interrupted } = await JobLog.open(database, limits, now, logger);
  await reclaim(database, interrupted);
  const rights = new Rights(database);
  const jobs = new Jobs(log, now);
  const queries = new Queries(now);
  return {
    database,
    limits,
    put,
    accounts,
    tokens,
    authenticator: new Authenticator(tokens, limiter, open),
    rights,
    repositories: new Repositories(database, accounts, rights, jobs, limits, now),
    statements: new Statements(rights),
    imports: new Imports(rights, jobs, limits, fetch),
    jobs,
    queries,
    interrupted,
    ensureFirstAccount: () => ensureFirstAccount(database, accounts, tokens),
    async close() {
      queries.cancelAll();
      await jobs.stop('closing');
    },
  };
}

/** Opening a repository gives back the space of what was being written into it when the process ended. */
async function reclaim(database: Database, interrupted: readonly Job[]): Promise<void> {
  const names = new Set((await database.repositories()).map(({ name }) => name));
  for (const repository of new Set(interrupted.map((job) => job.repository))) {
    // What is damaged is told to whoever asks for it.
    if (names.has(repository)) await database.repository(repository).catch(() => undefined);
  }
}
