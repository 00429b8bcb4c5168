/** The limits of queries and updates on a server. */
import { platform } from '#host-platform';
import { InvalidArgumentError } from '@quadrille/model';

/** Bounds in milliseconds, bytes and counts. */
export interface QueryLimits {
  /** Time limit for parsing, planning and running a query. Time in which the answer waits for its reader does not count. */
  readonly timeoutMs: number;
  /** Longest time limit that a client may request. */
  readonly longestTimeoutMs: number;
  /** Like `timeoutMs`, for updates. */
  readonly updateTimeoutMs: number;
  /** Number of queries and updates that run at the same time. */
  readonly concurrency: number;
  /** Queries of a party that run at the same time. */
  readonly concurrencyPerAccount: number;
  /** Number of waiting ones. Further ones are refused. */
  readonly queued: number;
  /** Queries of a party that wait. */
  readonly queuedPerAccount: number;
  /** Longest waiting time. After it a request is refused. */
  readonly queueMs: number;
  /** Memory limit of one query or update. `undefined`: the default of the library. */
  readonly memoryBytes: number | undefined;
  /** A reader that stalls for this time is disconnected. */
  readonly writeStallMs: number;
}

/** Limits that an operator sets. The other limits are derived from them. */
export type QueryLimitOptions = Partial<Omit<QueryLimits, 'concurrencyPerAccount' | 'queuedPerAccount'>>;

/** Default time limits. Updates may change many quads and often run unattended, so theirs is longer. */
const QUERY_MS = 30_000;
const LONGEST_MS = 300_000;
const QUEUED = 512;
/** Share of the queue that one account may use. */
const QUEUE_SHARE = 8;
const MOST_MS = 2 ** 31 - 1;

/**
 * The limits of a server. An open server has no accounts, so the limits of an account equal those of the server.
 * @throws InvalidArgumentError `INVALID_OPTION`
 */
export function queryLimits(options: QueryLimitOptions = {}, open = false): QueryLimits {
  for (const [name, value] of Object.entries(options)) check(name, value);
  const { timeoutMs = QUERY_MS, concurrency = 2 * platform.parallelism() + 4, queued = QUEUED } = options;
  return {
    timeoutMs,
    longestTimeoutMs: Math.max(timeoutMs, LONGEST_MS),
    updateTimeoutMs: Math.max(timeoutMs, LONGEST_MS),
    concurrency,
    concurrencyPerAccount: open ? concurrency : Math.ceil(concurrency / 2),
    queued,
    queuedPerAccount: open ? queued : Math.ceil(queued / QUEUE_SHARE),
    queueMs: 10_000,
    memoryBytes: undefined,
    writeStallMs: 10_000,
    ...options,
  };
}

const NAMES: ReadonlySet<string> = new Set([
  'timeoutMs',
  'longestTimeoutMs',
  'updateTimeoutMs',
  'concurrency',
  'queued',
  'queueMs',
  'memoryBytes',
  'writeStallMs',
]);

function check(name: string, value: unknown): void {
  const isTime = name.endsWith('Ms');
  const least = name === 'queued' || name === 'queueMs' ? 0 : 1;
  const isPossible =
    Number.isSafeInteger(value) && (value as number) >= least && (!isTime || (value as number) <= MOST_MS);
  if (NAMES.has(name) && isPossible) return;
  throw new InvalidArgumentError('INVALID_OPTION', `queries: ${name} cannot be ${String(value)}`, {
    details: { option: name },
  });
}
