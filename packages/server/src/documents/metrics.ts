/** The figures of the server: a table of name, type, help and how each is read. */
import { serverProcess } from '#server-platform';
import type { DatabaseMetrics } from 'quadrille';
import type { Service } from '../host/index.js';
import type { Observer } from '../observer.js';
import { countsOf, durationsBy, type Metric, type Sample } from './metrics-text.js';

/** What the figures are read from, at one moment. */
export interface Figures {
  readonly hosted: Pick<Service, 'database' | 'calls' | 'gate' | 'servers'>;
  readonly observer: Observer;
  readonly database: DatabaseMetrics;
  readonly limits: Readonly<Record<string, number>>;
  readonly servers: ReturnType<NonNullable<Service['servers']>> | undefined;
  readonly process: ReturnType<NonNullable<typeof serverProcess>['figures']> | undefined;
  /** How late timers came since the last look, for each of {@link PERCENTILES}. */
  readonly delays: readonly number[] | undefined;
  readonly startedAt: number;
}

export const PERCENTILES = [50, 99, 100] as const;

/** Of servers of a shared store. Revisions divided by appends are the size of a group. */
type Shared = NonNullable<DatabaseMetrics['shared']>;
const shared =
  (member: keyof Shared) =>
  ({ database }: Figures): number | undefined =>
    database.shared?.[member];

const samples = (values: Iterable<readonly [string, number]>, label: string): Sample[] =>
  Array.from(values, ([text, value]) => ({ labels: { [label]: text }, value }));

// prettier-ignore
export const METRICS: readonly Metric<Figures>[] = [
  ['quadrille_http_requests_total', 'counter', 'Answered requests, by route, method and status.', ({ observer }) =>
    Array.from(observer.counts, ({ route, method, status, durations }) => ({ labels: { route, method, status }, value: durations.count }))],
  ['quadrille_http_request_duration_seconds', 'histogram', 'Seconds from a request to the beginning of its answer, by route and method.', ({ observer }) =>
    durationsBy(observer.counts, ({ route, method }) => ({ route, method }))],
  ['quadrille_http_requests_running', 'gauge', 'Requests without an answer so far.', ({ observer }) => observer.running],

  ['quadrille_rpc_calls_total', 'counter', 'Answered RPC calls, by method and by the code of the error.', ({ hosted }) =>
    Array.from(hosted.calls, ({ method, code, durations }) => ({ labels: { method, code }, value: durations.count }))],
  ['quadrille_rpc_call_duration_seconds', 'histogram', 'Seconds from an RPC call to its result, by method.', ({ hosted }) =>
    durationsBy(hosted.calls, ({ method }) => ({ method }))],

  ['quadrille_queries_running', 'gauge', 'SPARQL queries and updates that have a place.', ({ hosted }) => hosted.gate.figures.running],
  ['quadrille_queries_waiting', 'gauge', 'Queries and updates that wait for a place.', ({ hosted }) => hosted.gate.figures.waiting],
  ['quadrille_queries_bytes', 'gauge', 'Bytes that the operators of running queries hold.', ({ hosted }) =>
    hosted.database.queries().reduce((sum, { memoryBytes }) => sum + memoryBytes, 0)],
  ['quadrille_queries_admitted_total', 'counter', 'Queries and updates that got a place.', ({ hosted }) => hosted.gate.figures.admitted],
  ['quadrille_queries_refused_total', 'counter', 'Queries and updates that got no place: too many waited, or one waited too long.', ({ hosted }) => hosted.gate.figures.refused],
  ['quadrille_queries_failed_total', 'counter', 'Failed queries and updates, by the code of the error.', ({ hosted }) =>
    samples(hosted.gate.figures.failed, 'code')],
  ['quadrille_queries_limit', 'gauge', 'The limits of queries, in milliseconds, bytes and counts, by the name of the limit.', ({ limits }) => samples(Object.entries(limits), 'limit')],

  ['quadrille_workers_limit', 'gauge', 'Largest number of threads for queries.', ({ database }) => database.workers.limit],
  ['quadrille_workers_started', 'gauge', 'Threads that run.', ({ database }) => database.workers.started],
  ['quadrille_workers_busy', 'gauge', 'Threads that evaluate a query.', ({ database }) => database.workers.busy],
  ['quadrille_workers_queries_total', 'counter', 'Queries that threads have taken.', ({ database }) => database.workers.queries],
  ['quadrille_workers_restarts_total', 'counter', 'Threads that replaced a failed one.', ({ database }) => database.workers.restarts],

  ['quadrille_commits_total', 'counter', 'Revisions made.', ({ database }) => database.commits],
  ['quadrille_repositories_open', 'gauge', 'Repositories in memory.', ({ database }) => database.openRepositories],
  ['quadrille_memtable_quads', 'gauge', 'Quads in memory that are not yet in runs (they are in the log).', ({ database }) => database.memtableQuads],
  ['quadrille_runs', 'gauge', 'Sorted runs of all indexes.', ({ database }) => database.runs],
  ['quadrille_background_failures', 'gauge', 'Failing background jobs of repositories and of the storage, by job and by the code of the error. The server tries such a job again.', ({ database }) =>
    countsOf(database.backgroundFailures.map(({ job, code }) => ({ job, code })))],
  ['quadrille_cache_bytes', 'gauge', 'Size of the block cache.', ({ database }) => database.cacheBytes],
  ['quadrille_cache_hits_total', 'counter', 'Blocks found in the cache.', ({ database }) => database.cacheHits],
  ['quadrille_cache_misses_total', 'counter', 'Blocks not found in the cache.', ({ database }) => database.cacheMisses],

  ['quadrille_store_appends_total', 'counter', 'Entries appended to the shared log, and attempts.', shared('appends')],
  ['quadrille_store_append_seconds_total', 'counter', 'Seconds that appends took.', shared('appendSeconds')],
  ['quadrille_store_append_bytes_total', 'counter', 'Bytes of entries appended to the shared log.', shared('appendBytes')],
  ['quadrille_store_checks_total', 'counter', 'Questions to the log for new entries.', shared('checks')],
  ['quadrille_store_check_seconds_total', 'counter', 'Seconds that questions to the log took.', shared('checkSeconds')],
  ['quadrille_store_round_trips_total', 'counter', 'Calls of the database or object store of all kinds.', shared('roundTrips')],
  ['quadrille_store_unknown_outcomes_total', 'counter', 'Appends whose outcome the server had to ask for.', shared('unknownOutcomes')],
  ['quadrille_store_takeovers_total', 'counter', 'How often this server took over the store.', shared('takeOvers')],
  ['quadrille_store_read_bytes_total', 'counter', 'Bytes of packs read from the service.', shared('readBytes')],
  ['quadrille_store_written_bytes_total', 'counter', 'Bytes of packs written to the service.', shared('writtenBytes')],
  ['quadrille_store_position', 'gauge', 'Last known position of the shared log.', shared('position')],
  ['quadrille_store_lag_seconds', 'gauge', 'Seconds since this server last heard whether the log has something new.', shared('lagSeconds')],
  ['quadrille_disk_cache_hits_total', 'counter', 'Values found on the local disk.', shared('cacheHits')],
  ['quadrille_disk_cache_misses_total', 'counter', 'Values not found on the local disk.', shared('cacheMisses')],
  ['quadrille_disk_cache_bytes', 'gauge', 'Size of the cache on the local disk.', shared('cacheBytes')],

  ['quadrille_store_servers', 'gauge', 'Servers of the store that have given signs of life.', ({ servers }) => servers?.length],
  ['quadrille_store_holder', 'gauge', '1 on the server that writes, else 0.', ({ servers }) =>
    servers && (servers.some(({ self, role }) => self && role === 'holder') ? 1 : 0)],

  ['quadrille_event_loop_delay_seconds', 'gauge', 'How late timers ran since the previous request for metrics, by percentile.', ({ delays }) =>
    delays && PERCENTILES.map((percentile, i) => ({ labels: { percentile }, value: delays[i]! }))],
  ['process_resident_memory_bytes', 'gauge', 'Resident memory.', ({ process }) => process?.residentBytes],
  ['nodejs_heap_used_bytes', 'gauge', 'Used heap of JavaScript.', ({ process }) => process?.heapBytes],
  ['process_cpu_seconds_total', 'counter', 'Processor time of the process.', ({ process }) => process?.cpuSeconds],
  ['process_start_time_seconds', 'gauge', 'Start of the server, in seconds since 1970.', ({ startedAt }) => startedAt],
];
