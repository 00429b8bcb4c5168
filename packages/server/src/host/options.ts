/** The options of a service and their defaults. */
import { platform } from '#host-platform';
import { InvalidArgumentError } from '@quadrille/model';
import type { LoadOptions, Logger } from 'quadrille';
import type { CallbackSender } from './jobs/callbacks.js';
import type { Fetcher } from './imports/fetcher.js';
import type { ServerState } from './monitoring/store-servers.js';
import type { QueryLimitOptions } from './queries/query-limits.js';

/** Bounds in bytes, milliseconds and counts. */
export interface ServiceLimits {
  /** Most repositories of an account. */
  readonly repositoriesPerAccount: number;
  /** Most tokens of an account. */
  readonly tokensPerAccount: number;
  /** Of one document, compressed and decompressed. */
  readonly importBytes: number;
  /** Ratio of decompressed to compressed bytes, checked after the first decompressed megabyte. */
  readonly importRatio: number;
  /**
   * Document bytes of one change that is held in memory until it is committed: an open transaction, a PATCH, a body with
   * several documents, a document for several graphs. The change takes about twenty times as much memory.
   */
  readonly transactionBytes: number;
  /** The sum of these bytes over all open transactions, and over all requests. */
  readonly openTransactionsBytes: number;
  /** Memory of the staged changes of all open transactions. The transaction that exceeds it is rolled back. */
  readonly openTransactionsMemory: number;
  /** Bodies of requests without credentials that are in memory at the same time, in bytes. One network may hold a quarter. */
  readonly strangersBytes: number;
  /** Longest update, in bytes: as a body, a form, a part of one, or within a transaction. Other clients than those that may write send 1 MiB. */
  readonly updateBytes: number;
  /**
   * Longest wait for the next bytes of a body that is held in memory, such as a form, JSON, a query or an update. Its first 16 KiB for each second, beyond
   * this time, have to arrive: so its whole time is limited.
   */
  readonly bodyIdleMs: number;
  /** Longest wait for the next bytes of a document; and bytes a second, measured over all waits once they are longer. */
  readonly importIdleMs: number;
  /** Fewest bytes a second that an import must receive on average. */
  readonly importMinRate: number;
  /**
   * The same while imports of other accounts wait for a place, longer than a sixth of `importIdleMs`: then the slowest import below this rate
   * gives up its place.
   */
  readonly importBusyRate: number;
  /** Imports that run at the same time. Documents under 256 KB are not counted. */
  readonly importsAtOnce: number;
  /** Imports of an account that run at the same time. */
  readonly importsAtOncePerAccount: number;
  /** Waiting imports of an account. More are refused. */
  readonly importsWaitingPerAccount: number;
  /** Characters of a name, a summary or a homepage. A description may have sixteen times as many. */
  readonly fieldLength: number;
  /** Failed authentications per network and account. */
  readonly failuresPerMinute: number;
  /** Token bucket of each account, and of each network for requests without credentials: its rate and its size. */
  readonly requestsPerSecond: number;
  /** Requests that may come at once. */
  readonly requestBurst: number;
  /** Feeds of changes that are open at the same time: of an account, or of a network without credentials; and of all. */
  readonly feedsPerAccount: number;
  /** Open feeds of all accounts. */
  readonly feedsAtOnce: number;
  /** Finished jobs are kept this long. The newest `jobsKept` are always kept. */
  readonly jobsKeptMs: number;
  /** Number of the newest ended jobs, which are always kept. */
  readonly jobsKept: number;
  /** Upper bounds of the finished jobs that are kept, in number and memory. */
  readonly jobsKeptAtMost: number;
  /** Bytes of ended jobs that are kept. */
  readonly jobsKeptBytes: number;
}

/** The limits of a service, where the options do not say otherwise. */
export const DEFAULT_SERVICE_LIMITS: ServiceLimits = {
  repositoriesPerAccount: 10_000,
  tokensPerAccount: 1000,
  importBytes: 2 * 1024 ** 3,
  importRatio: 200,
  transactionBytes: 16 * 1024 ** 2,
  openTransactionsBytes: 64 * 1024 ** 2,
  openTransactionsMemory: 512 * 1024 ** 2,
  strangersBytes: 16 * 1024 ** 2,
  updateBytes: 16 * 1024 ** 2,
  bodyIdleMs: 30_000,
  importIdleMs: 60_000,
  importMinRate: 1000,
  importBusyRate: 100_000,
  importsAtOnce: 4,
  importsAtOncePerAccount: 2,
  importsWaitingPerAccount: 100,
  fieldLength: 1000,
  failuresPerMinute: 20,
  requestsPerSecond: 1000,
  requestBurst: 10_000,
  feedsPerAccount: 100,
  feedsAtOnce: 1000,
  jobsKeptMs: 24 * 60 * 60_000,
  jobsKept: 1000,
  jobsKeptAtMost: 20_000,
  jobsKeptBytes: 32 * 1024 ** 2,
};

/** Options of {@link openService}. */
export interface ServiceOptions {
  /** Limits that differ from the default. */
  readonly limits?: Partial<ServiceLimits>;
  /** Fetches documents from other hosts. Without it imports from an address are refused. */
  readonly fetch?: Fetcher;
  /** Contexts of JSON-LD by their addresses, as the option of `open`: they are not fetched. */
  readonly contexts?: LoadOptions['contexts'];
  /** Sends completion callbacks. Without it requests that ask for one are refused. */
  readonly callbacks?: CallbackSender;
  /** The effect of a PUT of statements. Default `replace`. */
  readonly put?: 'replace' | 'merge';
  /** How long a transaction may be idle, in milliseconds. Default 60,000. */
  readonly transactionIdleMs?: number;
  /** Limits of queries and updates. */
  readonly queries?: QueryLimitOptions;
  /**
   * Whether another process writes to the database, which follows it. Then jobs of earlier processes are left to that one, and
   * nothing is written. Default false.
   */
  readonly follows?: boolean;
  /** The servers of the store, where several of them serve it. Default: this one is alone. */
  readonly servers?: () => readonly ServerState[];
  /** Every request has the rights of the operator, and credentials are ignored. Default false. */
  readonly open?: boolean;
  /** Whether requests and failed authentications are limited. Default true. An open server has no limits. */
  readonly rateLimit?: boolean;
  /** Receives failures. */
  readonly logger?: Logger;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/** Shares of the heap that open transactions may take at most: of their documents, and of the changes that are staged. */
const DOCUMENT_SHARE = 1 / 16;
const STAGED_SHARE = 1 / 4;

/** The limits of a process with such a heap, where no option says others. */
export function defaultLimits(heapBytes: number | undefined): ServiceLimits {
  if (heapBytes === undefined) return DEFAULT_SERVICE_LIMITS;
  const { openTransactionsBytes, openTransactionsMemory, transactionBytes } = DEFAULT_SERVICE_LIMITS;
  const documents = Math.min(openTransactionsBytes, Math.floor(heapBytes * DOCUMENT_SHARE));
  return {
    ...DEFAULT_SERVICE_LIMITS,
    transactionBytes: Math.min(transactionBytes, documents),
    openTransactionsBytes: documents,
    openTransactionsMemory: Math.min(openTransactionsMemory, Math.floor(heapBytes * STAGED_SHARE)),
  };
}

/** @throws InvalidArgumentError `INVALID_OPTION` */
export function serviceLimits(given: Partial<ServiceLimits> = {}): ServiceLimits {
  for (const [name, value] of Object.entries(given)) {
    if (name in DEFAULT_SERVICE_LIMITS && Number.isSafeInteger(value) && value > 0) continue;
    throw new InvalidArgumentError('INVALID_OPTION', `limits: ${name} cannot be ${String(value)}`);
  }
  return { ...defaultLimits(platform.heapBytes()), ...given };
}
