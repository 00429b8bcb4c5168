/** What an operator can set, with the defaults. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Logger } from 'quadrille';
import type { CallbackSender } from './jobs/callbacks.js';
import type { Fetcher } from './imports/fetcher.js';

/** Bytes, milliseconds and counts. */
export interface ServiceLimits {
  readonly repositoriesPerAccount: number;
  readonly tokensPerAccount: number;
  /** Of one document, after decompression too. */
  readonly importBytes: number;
  /** Decompressed to compressed bytes of a gzip file, looked at from 1 MB on. */
  readonly importRatio: number;
  /**
   * Of the documents of one change that is held in memory until it is committed: an open transaction, a PATCH, a body of
   * several documents, a document for several graphs. It takes about twenty times as much memory.
   */
  readonly transactionBytes: number;
  /** Of all open transactions together, and of all requests together that hold documents in memory. */
  readonly openTransactionsBytes: number;
  /** Longest wait for the next bytes of a document, and bytes a second over all such waits once they are longer. */
  readonly importIdleMs: number;
  readonly importMinRate: number;
  /** Imports that run at once. Short documents do not count. */
  readonly importsAtOnce: number;
  readonly importsAtOncePerAccount: number;
  /** Imports of an account that may wait; more are refused. */
  readonly importsWaitingPerAccount: number;
  /** A name, a summary or a homepage; a description may have sixteen times as many. Characters. */
  readonly fieldLength: number;
  /** Failed authentications per address and account. */
  readonly failuresPerMinute: number;
  /** Of an account, or of an address without credentials; as many as the burst may come at once. */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /** Finished jobs are kept this long, and the last ones always. */
  readonly jobsKeptMs: number;
  readonly jobsKept: number;
  /** More finished jobs are never kept, nor any beyond so many bytes. */
  readonly jobsKeptAtMost: number;
  readonly jobsKeptBytes: number;
}

export const DEFAULT_SERVICE_LIMITS: ServiceLimits = {
  repositoriesPerAccount: 10_000,
  tokensPerAccount: 1000,
  importBytes: 2 * 1024 ** 3,
  importRatio: 200,
  transactionBytes: 16 * 1024 ** 2,
  openTransactionsBytes: 64 * 1024 ** 2,
  importIdleMs: 60_000,
  importMinRate: 1000,
  importsAtOnce: 4,
  importsAtOncePerAccount: 2,
  importsWaitingPerAccount: 100,
  fieldLength: 1000,
  failuresPerMinute: 20,
  requestsPerSecond: 1000,
  requestBurst: 10_000,
  jobsKeptMs: 24 * 60 * 60_000,
  jobsKept: 1000,
  jobsKeptAtMost: 20_000,
  jobsKeptBytes: 32 * 1024 ** 2,
};

export interface ServiceOptions {
  readonly limits?: Partial<ServiceLimits>;
  /** Reads documents of other hosts. Without it imports from an address are refused. */
  readonly fetch?: Fetcher;
  /** Tells hosts that clients name when a job is done. Without it such requests are refused. */
  readonly callbacks?: CallbackSender;
  /** What a PUT of statements does. Default `replace`. */
  readonly put?: 'replace' | 'merge';
  /** Everybody is the operator: no credentials are asked for, those shown are not looked at. Default false. */
  readonly open?: boolean;
  /** Whether failed authentications and requests are counted and limited. Default true; an open server limits nothing. */
  readonly rateLimit?: boolean;
  readonly logger?: Logger;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/** @throws InvalidArgumentError `INVALID_OPTION` */
export function serviceLimits(given: Partial<ServiceLimits> = {}): ServiceLimits {
  for (const [name, value] of Object.entries(given)) {
    if (name in DEFAULT_SERVICE_LIMITS && Number.isSafeInteger(value) && value > 0) continue;
    throw new InvalidArgumentError('INVALID_OPTION', `limits: ${name} cannot be ${String(value)}`);
  }
  return { ...DEFAULT_SERVICE_LIMITS, ...given };
}
