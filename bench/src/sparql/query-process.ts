/** A process that opens one backend and times the queries that its parent sends. Killed by the parent when one takes too long. */
import { cpuSeconds, peakBytes } from '../measure.js';
import type { Context, Meters } from '../workload.js';
import { BACKENDS } from './backends.js';
import type { PreparedQuery } from './query-class.js';
import type { QueryTimes } from './time-query.js';
import { timeQuery } from './time-query.js';

export type QueryReply =
  | { readonly type: 'ready' }
  | { readonly type: 'beginning' }
  | { readonly type: 'times'; readonly times: QueryTimes; readonly meters: Meters }
  | { readonly type: 'failed'; readonly message: string };

const { backend: name, context } = JSON.parse(process.argv[2]!) as { backend: string; context: Context };
const say = (reply: QueryReply): void => void process.send!(reply);

const backend = await BACKENDS[name]!.open(context);
process.on('message', (query: PreparedQuery) => {
  timeQuery(backend, query, () => say({ type: 'beginning' })).then(
    (times) => say({ type: 'times', times, meters: { cpuSeconds: cpuSeconds(), peakBytes: peakBytes() } }),
    (error: unknown) => say({ type: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => void backend.close());
say({ type: 'ready' });
