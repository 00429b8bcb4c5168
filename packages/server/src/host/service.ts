/** A service over an open database: what is hosted, by whom and for whom. */
import { KeyedMutex } from '@quadrille/model';
import type { Database } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { Accounts } from './accounts/accounts.js';
import { Administration, type AdministrationParts } from './accounts/administration.js';
import { Audit } from './accounts/audit.js';
import { Authenticator } from './accounts/authentication.js';
import { BackgroundQueries } from './queries/background-queries.js';
import { ByteBudget } from './byte-budget.js';
import { BackgroundWatch } from './monitoring/background-watch.js';
import { CallCounts } from './monitoring/call-counts.js';
import type { Caller } from './accounts/caller.js';
import { Callbacks } from './jobs/callbacks.js';
import { FailureLimiter } from './accounts/failure-limiter.js';
import { FeedCount } from './accounts/feed-count.js';
import { administrator, ensureFirstAccount, type FirstAccount } from './accounts/first-account.js';
import { Imports } from './imports/imports.js';
import type { Job } from './jobs/job.js';
import { JobLog } from './jobs/job-log.js';
import { Jobs } from './jobs/jobs.js';
import { type ServiceLimits, serviceLimits, type ServiceOptions } from './options.js';
import { Maintenance } from './repositories/maintenance.js';
import { QueryGate } from './queries/query-gate.js';
import { queryLimits } from './queries/query-limits.js';
import { KeptRequests } from './requests/kept-requests.js';
import { Sweeper } from './requests/sweeper.js';
import { RequestLimiter } from './accounts/request-limiter.js';
import { Reclaimer } from './repositories/reclaimer.js';
import { ServedBranches } from './repositories/branches.js';
import { Collaborators } from './repositories/collaborators.js';
import { Removals } from './repositories/removals.js';
import { Repositories } from './repositories/repositories.js';
import { SignInCodes } from './accounts/sign-in-codes.js';
import { isGone, Rights } from './repositories/rights.js';
import { type ServiceState, StateProbe } from './monitoring/service-state.js';
import type { ServerState } from './monitoring/store-servers.js';
import { StrangersBytes } from './accounts/strangers.js';
import { Statements } from './repositories/statements.js';
import { OpenTransactions } from './transactions/open-transactions.js';
import { Tokens } from './accounts/tokens.js';
import { Views } from './queries/views.js';

export interface Service {
  /** The data. The caller has opened it. */
  readonly database: Database;
  /** The limits of accounts, imports and requests. */
  readonly limits: ServiceLimits;
  /** The effect of a PUT of statements. */
  readonly put: 'replace' | 'merge';
  /** For the operator: they ask for no caller. */
  readonly accounts: Accounts;
  /** The tokens of all accounts. */
  readonly tokens: Tokens;
  /** Changes accounts and tokens for callers, and records it. */
  readonly administration: Administration;
  /** Finds out who sends a request. */
  readonly authenticator: Authenticator;
  /** Codes that are exchanged for a token once. */
  readonly signIn: SignInCodes;
  /** Whether nobody is asked for credentials. */
  readonly open: boolean;
  /** Requests with an idempotency key. */
  readonly keptRequests: KeptRequests;
  /** Counts requests; `undefined` where they are not limited. */
  readonly requests: RequestLimiter | undefined;
  /** Counts the open feeds of changes. They are limited everywhere. */
  readonly feeds: FeedCount;
  /** For callers: each call says what it refuses. */
  readonly rights: Rights;
  /** The repositories, as callers may use them. */
  readonly repositories: Repositories;
  /** The branches of repositories. */
  readonly branches: ServedBranches;
  /** Removals from histories. */
  readonly removals: Removals;
  /** Saved queries. */
  readonly views: Views;
  /** Changes of quads that are no document. */
  readonly statements: Statements;
  /** Imports as jobs. */
  readonly imports: Imports;
  /** Checks and compactions of repositories, as jobs. */
  readonly maintenance: Maintenance;
  /** Queries that run in the background. */
  readonly queries: BackgroundQueries;
  /** Where every query and update of a client waits for its turn. */
  readonly gate: QueryGate;
  /** The running jobs, and ended ones that are kept. */
  readonly jobs: Jobs;
  /** The documents that requests hold in memory until they are committed, in bytes. `openTransactionsBytes` limits it. */
  readonly heldDocuments: ByteBudget;
  /** The bodies of requests without credentials that are in memory. `strangersBytes` limits them. */
  readonly strangers: StrangersBytes;
  /** That clients hold open between requests. */
  readonly transactions: OpenTransactions;
  /** The calls of RPC since the start. */
  readonly calls: CallCounts;
  /** Tells other hosts that something is done. */
  readonly callbacks: Callbacks;
  /** Jobs that were under way when the last process ended; they have failed. */
  readonly interrupted: readonly Job[];
  /** The account and token of a store that is served for the first time; `undefined` ever after. */
  ensureFirstAccount(): Promise<FirstAccount | undefined>;
  /** The name of an administrator, for whoever has the store in the own hands. Where there is none, the first account becomes one. */
  administrator(): Promise<string>;
  /** The servers of the store; `undefined` where this one is alone. */
  readonly servers: (() => readonly ServerState[]) | undefined;
  /** Whether the store answers and takes writes; asked for as often as somebody likes. */
  state(): ServiceState | Promise<ServiceState>;
  /** Resolves when the space of imports that came to nothing has been given back. */
  reclaimed(): Promise<void>;
  /** Aborts imports and rolls back open transactions. The database stays open. */
  close(): Promise<void>;
}

/**
 * Opens the service of a database. One at a time: it keeps jobs in memory.
 * @throws InvalidArgumentError `INVALID_OPTION`
 * @example
 * const service = await openService(await open('./data'));
 * const caller = await service.authenticator.identify({ scheme: 'bearer', token }, address);
 * const repository = await service.rights.open(caller, 'acme/people', 'read');
 */
export async function openService(database: Database, options: ServiceOptions = {}): Promise<Service> {
  const limits = serviceLimits(options.limits);
  const { now = Date.now, open = false, rateLimit = true, put = 'replace', logger, callbacks } = options;
  const locks = new KeyedMutex();
  const { accounts, tokens } = accountsAndTokens(database, { limits, now }, locks);
  const limiter = rateLimit ? new FailureLimiter(limits.failuresPerMinute, now) : undefined;
  const { log, interrupted } = await JobLog.open(database, limits, now, logger, options.follows);
  const reclaimer = Reclaimer.after(interrupted, database, logger);
  const rights = new Rights(database, locks);
  const gate = new QueryGate(hostOf(database), queryLimits(options.queries, open));
  const views = new Views(database, rights, locks, gate);
  const jobs = new Jobs(log, now);
  const transactions = new OpenTransactions(limits, options.transactionIdleMs);
  const sender = await Callbacks.open(database, callbacks, logger, options.follows);
  const probe = new StateProbe(database, now);
  const watch = logger && new BackgroundWatch(database, logger);
  const audit = new Audit(hostOf(database), now, logger);
  const keptRequests = new KeptRequests(hostOf(database), now);
  const sweeper = options.follows === true ? undefined : new Sweeper(() => keptRequests.sweep(), logger);
  const parts = { database, accounts, tokens, rights, views, jobs, audit, transactions, locks, limits, open, now };
  const repositories = new Repositories(parts);
  const administration = administrationOf(database, parts, clearAccount(database, repositories));
  return {
    database,
    limits,
    put,
    accounts,
    tokens,
    administration,
    authenticator: new Authenticator(tokens, limiter, open),
    signIn: new SignInCodes({ tokens, audit, limiter, now }),
    open,
    keptRequests,
    requests: rateLimit && !open ? new RequestLimiter(limits.requestsPerSecond, limits.requestBurst, now) : undefined,
    feeds: new FeedCount(limits),
    rights,
    repositories,
    branches: new ServedBranches(rights, audit, gate),
    removals: new Removals(audit),
    views,
    statements: new Statements(rights),
    maintenance: new Maintenance(rights, jobs, logger),
    imports: new Imports(rights, jobs, limits, options, reclaimer),
    queries: new BackgroundQueries(rights, jobs, gate, now),
    gate,
    jobs,
    heldDocuments: new ByteBudget(limits.openTransactionsBytes),
    strangers: new StrangersBytes(new ByteBudget(limits.strangersBytes)),
    transactions,
    calls: new CallCounts(),
    callbacks: sender,
    interrupted,
    ensureFirstAccount: () => ensureFirstAccount(database, accounts, tokens),
    administrator: () => administrator(accounts),
    servers: options.servers,
    state: () => probe.state(),
    reclaimed: () => reclaimer.idle(),
    close: () => closeAll({ watch, jobs, transactions, sender, reclaimer, sweeper }),
  };
}

async function closeAll(parts: {
  readonly watch: BackgroundWatch | undefined;
  readonly jobs: Jobs;
  readonly transactions: OpenTransactions;
  readonly sender: Callbacks;
  readonly reclaimer: Reclaimer;
  readonly sweeper: Sweeper | undefined;
}): Promise<void> {
  parts.watch?.close();
  await parts.sweeper?.close();
  await parts.jobs.stop('closing');
  await parts.transactions.end();
  await parts.sender.close();
  await parts.reclaimer.close();
}

const administrationOf = (
  database: Database,
  parts: Omit<AdministrationParts, 'clear' | 'namespaces'>,
  clear: AdministrationParts['clear'],
): Administration =>
  new Administration({ ...parts, clear, namespaces: (account) => database.account(account).namespaces });

/** Deletes the repositories of an account, also those that are made meanwhile. */
const clearAccount =
  (database: Database, repositories: Repositories) =>
  async (caller: Caller, account: string): Promise<void> => {
    for await (const { name } of database.repositories(account)) {
      // Another request may have deleted it.
      await repositories.remove(caller, name).catch((error: unknown) => {
        if (!isGone(error)) throw error;
      });
    }
  };

/** Accounts and tokens alone, for an operator at work on a store that is not being served. */
export function openAccounts(
  database: Database,
  options: Pick<ServiceOptions, 'limits' | 'now'> = {},
): {
  /** The accounts. */
  readonly accounts: Accounts;
  /** Their tokens. */
  readonly tokens: Tokens;
  /** Changes of both, which are audited. */
  readonly administration: Administration;
  /** The rights of accounts in the repositories of others. */
  readonly collaborators: Collaborators;
} {
  const { limits, now = Date.now } = options;
  const locks = new KeyedMutex();
  const { accounts, tokens } = accountsAndTokens(database, { limits: serviceLimits(limits), now }, locks);
  const rights = new Rights(database, locks);
  const clear = async (_: Caller, account: string): Promise<void> => {
    for await (const { name } of database.repositories(account)) {
      await database.deleteRepository(name);
      await rights.forget(name);
    }
  };
  const audit = new Audit(hostOf(database), now);
  const administration = administrationOf(database, { accounts, tokens, audit }, clear);
  return { accounts, tokens, administration, collaborators: new Collaborators({ accounts, rights, audit, now }) };
}

function accountsAndTokens(
  database: Database,
  { limits, now }: { readonly limits: ServiceLimits; readonly now: () => number },
  locks: KeyedMutex,
): { readonly accounts: Accounts; readonly tokens: Tokens } {
  const accounts = new Accounts(database, locks);
  const tokens = new Tokens(database, accounts, limits.tokensPerAccount, now);
  accounts.onRemoved = (name) => tokens.revokeAll(name);
  return { accounts, tokens };
}
