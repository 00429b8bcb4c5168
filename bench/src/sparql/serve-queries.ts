/** Answers in the process of a backend: times the queries that the parent sends. */
import { cpuSeconds, peakBytes } from '../measure.js';
import type { Meters } from '../workload.js';
import type { QueryBackend } from './backend.js';
import type { PreparedQuery } from './query-class.js';
import type { QueryTimes, TimeBudget } from './time-query.js';
import { timeQuery } from './time-query.js';

export type QueryReply =
  | { readonly type: 'ready' }
  | { readonly type: 'beginning' }
  | { readonly type: 'times'; readonly times: QueryTimes; readonly meters: Meters }
  | { readonly type: 'failed'; readonly message: string };

/** Serves queries until the parent disconnects. */
export function serveQueries(backend: QueryBackend, budget?: TimeBudget): void {
  const say = (reply: QueryReply): void => void process.send!(reply);
  process.on('message', (query: PreparedQuery) => {
    const before = cpuSeconds();
    timeQuery(backend, query, () => say({ type: 'beginning' }), budget).then(
      (times) => say({ type: 'times', times, meters: { cpuSeconds: cpuSeconds() - before, peakBytes: peakBytes() } }),
      (error: unknown) => say({ type: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.on('disconnect', () => void backend.close());
  say({ type: 'ready' });
}
