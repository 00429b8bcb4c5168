/** The figures of the server in the text format of Prometheus, version 0.0.4. */
import { serverProcess } from '#server-platform';
import { DURATION_BOUNDS, Durations, type Service } from '../host/index.js';
import type { Observer } from '../observer.js';
import type { LoopDelays } from '../platform/platform.js';

export const METRICS_TYPE = 'text/plain; version=0.0.4';

type Labels = Readonly<Record<string, string | number>>;
interface Sample {
  readonly labels?: Labels;
  readonly value: number;
  /** After the name, as `_bucket`. */
  readonly suffix?: string;
}

const PERCENTILES = [50, 99, 100] as const;

export class MetricsDocument {
  readonly #startedAt = Date.now() / 1000;
  #delays: LoopDelays | undefined;

  constructor(
    private readonly hosted: Pick<Service, 'database' | 'calls' | 'gate' | 'servers'>,
    private readonly observer: Observer,
  ) {}

  /** The first call starts the monitor of the event loop, so that a server without monitoring does not pay for it. */
  async text(): Promise<string> {
    const limits = await this.hosted.gate.allLimits();
    return [
      ...this.#requests(),
      ...this.#calls(),
      ...this.#queries(limits),
      ...this.#workers(),
      ...this.#store(),
      ...this.#shared(),
      ...this.#servers(),
      ...this.#process(),
    ].join('');
  }

  *#requests(): Generator<string> {
    const counts = [...this.observer.counts];
    yield metric(
      'quadrille_http_requests_total',
      'counter',
      'Requests answered.',
      counts.map(({ route, method, status, durations }) => ({
        labels: { route, method, status },
        value: durations.count,
      })),
    );
    yield metric(
      'quadrille_http_request_duration_seconds',
      'histogram',
      'From a request to the beginning of its answer.',
      durationsBy(counts, ({ route, method }) => ({ route, method })),
    );
    yield one('quadrille_http_requests_running', 'gauge', 'Requests not answered yet.', this.observer.running);
  }

  *#calls(): Generator<string> {
    const counts = [...this.hosted.calls];
    yield metric(
      'quadrille_rpc_calls_total',
      'counter',
      'Calls of RPC answered, by the code of their error.',
      counts.map(({ method, code, durations }) => ({ labels: { method, code }, value: durations.count })),
    );
    yield metric(
      'quadrille_rpc_call_duration_seconds',
      'histogram',
      'From a call to its result.',
      durationsBy(counts, ({ method }) => ({ method })),
    );
  }

  *#queries(limits: Readonly<Record<string, number>>): Generator<string> {
    const { figures } = this.hosted.gate;
    const { waiting, running, admitted, refused, failed } = figures;
    const queries = this.hosted.database.queries();
    const bytes = queries.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
    yield one('quadrille_queries_running', 'gauge', 'SPARQL queries and updates that have a place.', running);
    yield one('quadrille_queries_waiting', 'gauge', 'Those that wait for a place.', waiting);
    yield one('quadrille_queries_bytes', 'gauge', 'Memory that their operators keep.', bytes);
    yield one('quadrille_queries_admitted_total', 'counter', 'Those that got a place.', admitted);
    yield one('quadrille_queries_refused_total', 'counter', 'Those that got none: too many, or too long.', refused);
    yield metric(
      'quadrille_queries_failed_total',
      'counter',
      'Those that failed, by the code of their error.',
      [...failed].map(([code, value]) => ({ labels: { code }, value })),
    );
    yield metric(
      'quadrille_queries_limit',
      'gauge',
      'Limits, in milliseconds, bytes and counts.',
      Object.entries(limits).map(([limit, value]) => ({ labels: { limit }, value })),
    );
  }

  *#workers(): Generator<string> {
    const { limit, started, busy, queries, restarts } = this.hosted.database.metrics().workers;
    yield one('quadrille_workers_limit', 'gauge', 'Threads for queries, at most.', limit);
    yield one('quadrille_workers_started', 'gauge', 'Threads that run.', started);
    yield one('quadrille_workers_busy', 'gauge', 'Threads that evaluate a query.', busy);
    yield one('quadrille_workers_queries_total', 'counter', 'Queries that threads have taken.', queries);
    yield one('quadrille_workers_restarts_total', 'counter', 'Threads that replaced a failed one.', restarts);
  }

  *#store(): Generator<string> {
    const figures = this.hosted.database.metrics();
    yield one('quadrille_commits_total', 'counter', 'Revisions made since the start.', figures.commits);
    yield one('quadrille_repositories_open', 'gauge', 'Repositories in use.', figures.openRepositories);
    yield one('quadrille_memtable_quads', 'gauge', 'Quads in memory, not yet in runs.', figures.memtableQuads);
    yield one('quadrille_runs', 'gauge', 'Sorted runs of all indexes.', figures.runs);
    yield metric(
      'quadrille_background_failures',
      'gauge',
      'Repositories of which a background job fails and is tried again.',
      countsOf(figures.backgroundFailures.map(({ job, code }) => ({ job, code }))),
    );
    yield one('quadrille_cache_bytes', 'gauge', 'Size of the block cache.', figures.cacheBytes);
    yield one('quadrille_cache_hits_total', 'counter', 'Blocks found in the cache.', figures.cacheHits);
    yield one('quadrille_cache_misses_total', 'counter', 'Blocks not found in the cache.', figures.cacheMisses);
  }

  /** Revisions divided by appends are the size of a group. */
  *#shared(): Generator<string> {
    const { shared } = this.hosted.database.metrics();
    if (shared === undefined) return;
    yield one(
      'quadrille_store_appends_total',
      'counter',
      'Entries appended to the shared log, and attempts.',
      shared.appends,
    );
    yield one('quadrille_store_append_seconds_total', 'counter', 'How long they took.', shared.appendSeconds);
    yield one('quadrille_store_append_bytes_total', 'counter', 'Their bytes.', shared.appendBytes);
    yield one('quadrille_store_checks_total', 'counter', 'Questions what is new in the log.', shared.checks);
    yield one('quadrille_store_check_seconds_total', 'counter', 'How long they took.', shared.checkSeconds);
    yield one('quadrille_store_round_trips_total', 'counter', 'Calls of the service of all kinds.', shared.roundTrips);
    yield one(
      'quadrille_store_unknown_outcomes_total',
      'counter',
      'Appends that had to be asked for again.',
      shared.unknownOutcomes,
    );
    yield one(
      'quadrille_store_takeovers_total',
      'counter',
      'How often this server has become the one that writes.',
      shared.takeOvers,
    );
    yield one('quadrille_store_read_bytes_total', 'counter', 'Bytes of packs read from the service.', shared.readBytes);
    yield one('quadrille_store_written_bytes_total', 'counter', 'Bytes of packs written to it.', shared.writtenBytes);
    yield one('quadrille_store_position', 'gauge', 'Last known position of the log.', shared.position);
    yield one(
      'quadrille_store_lag_seconds',
      'gauge',
      'Time since this server heard what is new in the log.',
      shared.lagSeconds,
    );
    yield one('quadrille_disk_cache_hits_total', 'counter', 'Values found on the local disk.', shared.cacheHits);
    yield one('quadrille_disk_cache_misses_total', 'counter', 'Values not found there.', shared.cacheMisses);
    yield one('quadrille_disk_cache_bytes', 'gauge', 'Size of the cache on the local disk.', shared.cacheBytes);
  }

  *#servers(): Generator<string> {
    const servers = this.hosted.servers?.();
    if (servers === undefined) return;
    const isHolder = servers.some(({ self, role }) => self && role === 'holder');
    yield one(
      'quadrille_store_servers',
      'gauge',
      'Servers of the store that have given signs of life.',
      servers.length,
    );
    yield one('quadrille_store_holder', 'gauge', 'Whether this server is the one that writes.', isHolder ? 1 : 0);
  }

  *#process(): Generator<string> {
    if (serverProcess !== undefined) {
      // Each value covers the time since the previous request for metrics.
      const delays = (this.#delays ??= serverProcess.watchDelays()).read(PERCENTILES);
      const samples = PERCENTILES.map((percentile, i) => ({ labels: { percentile }, value: delays[i]! }));
      const name = 'quadrille_event_loop_delay_seconds';
      yield metric(name, 'gauge', 'How late timers come, since the last look.', samples);
      const { residentBytes, heapBytes, cpuSeconds } = serverProcess.figures();
      yield one('process_resident_memory_bytes', 'gauge', 'Resident memory.', residentBytes);
      yield one('nodejs_heap_used_bytes', 'gauge', 'Used heap.', heapBytes);
      yield one('process_cpu_seconds_total', 'counter', 'Processor time.', cpuSeconds);
    }
    yield one('process_start_time_seconds', 'gauge', 'When the server began, since 1970.', this.#startedAt);
  }
}

/** The durations summed by labels. The status is no label of them, since it would multiply the series. */
function durationsBy<T extends { readonly durations: Durations }>(
  counts: readonly T[],
  labels: (each: T) => Labels,
): Sample[] {
  const sums = new Map<string, { readonly labels: Labels; readonly durations: Durations }>();
  for (const each of counts) {
    const key = Object.values(labels(each)).join(' ');
    let sum = sums.get(key);
    if (sum === undefined) sums.set(key, (sum = { labels: labels(each), durations: new Durations() }));
    sum.durations.addAll(each.durations);
  }
  return [...sums.values()].flatMap(histogram);
}

function histogram({ labels, durations }: { readonly labels: Labels; readonly durations: Durations }): Sample[] {
  const { count, seconds, buckets } = durations;
  const bucket = (le: string | number, value: number): Sample => ({
    suffix: '_bucket',
    labels: { ...labels, le },
    value,
  });
  return [
    ...DURATION_BOUNDS.map((bound, i) => bucket(bound, buckets[i]!)),
    bucket('+Inf', count),
    { suffix: '_sum', labels, value: seconds },
    { suffix: '_count', labels, value: count },
  ];
}

/** How often each set of labels occurs. */
function countsOf(all: readonly Labels[]): Sample[] {
  const counts = new Map<string, { readonly labels: Labels; value: number }>();
  for (const labels of all) {
    const key = Object.values(labels).join(' ');
    const count = counts.get(key) ?? { labels, value: 0 };
    count.value++;
    counts.set(key, count);
  }
  return [...counts.values()];
}

const one = (name: string, type: string, help: string, value: number): string => metric(name, type, help, [{ value }]);

function metric(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(({ suffix = '', labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(String(text))}"`);
    return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${String(value)}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
