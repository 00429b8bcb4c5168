/** The limits of queries and updates on a server. */
import { availableParallelism } from 'node:os';
import { InvalidArgumentError } from '@quadrille/model';

/** Bounds in milliseconds, bytes and counts. */
export interface QueryLimits {
  /** How long a query may be parsed, planned and run. The time in which its answer waits for its reader does not count. */
  readonly timeoutMs: number;
  /** The longest time that a request may ask for. */
  readonly longestTimeoutMs: number;
  /** As `timeoutMs`, for updates. */
  readonly updateTimeoutMs: number;
  /** Queries and updates that run at once. */
  readonly concurrency: number;
  readonly concurrencyPerAccount: number;
  /** Those that wait. More are refused. */
  readonly queued: number;
  readonly queuedPerAccount: number;
  /** After this time one that waits is refused. */
  readonly queueMs: number;
  /** What the operators of one query or update may keep. `undefined`: the default of the library. */
  readonly memoryBytes: number | undefined;
  /** A reader that takes nothing of its answer for so long is disconnected. */
  readonly writeStallMs: number;
}

/** Those that an operator sets; the others follow from them. */
export type QueryLimitOptions = Partial<Omit<QueryLimits, 'concurrencyPerAccount' | 'queuedPerAccount'>>;

/** A query is slow where it takes seconds. Updates may change much, and nobody watches them. */
const QUERY_MS = 30_000;
const LONGEST_MS = 300_000;
const QUEUED = 512;
/** The part of the queue that one account may use. */
const QUEUE_SHARE = 8;
const MOST_MS = 2 ** 31 - 1;

/**
 * The limits of a server. On one that is open nobody has an account: the limits of an account are those of all.
 * @throws InvalidArgumentError `INVALID_OPTION`
 */
export function queryLimits(options: QueryLimitOptions = {}, open = false): QueryLimits {
  for (const [name, value] of Object.entries(options)) check(name, value);
  const { timeoutMs = QUERY_MS, concurrency = 2 * availableParallelism() + 4, queued = QUEUED } = options;
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
