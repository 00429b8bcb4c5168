/** Sends one kind of requests to a server, and measures the answers and the server: cold, and when it is warm. */
import { type Figures, figure } from '../workload.js';
import { type LoadResult, sendLoad } from './requests.js';
import type { MeasuredServer } from './server.js';
import type { Work } from './work.js';

/** The first requests of a kind, which a server has not compiled yet. */
const COLD_REQUESTS = 500;
/** Requests before it is warm: V8 compiles in several steps what a server does often. */
const WARM_REQUESTS = 12_000;
const WARM_SECONDS = 60;
const SECONDS = 3;
const PREPARING = 8;

/**
 * Rate, latencies, and the processor time of the server for a request. Their names begin with `what`. The processor time is that of the whole
 * process: it has the threads that compile and collect garbage. A work that was warmed before, by other clients, has no cold figure.
 */
export async function measureWork(
  server: MeasuredServer,
  { next, before }: Work,
  connections: number,
  what: string,
  isCold = true,
): Promise<Figures> {
  const { port } = server;
  const prepare = async (): Promise<void> => {
    const requests = [...(before?.() ?? [])];
    await sendLoad({ port, requests: () => requests.pop(), connections: PREPARING, seconds: Infinity });
  };
  const timed = async (requests: () => Buffer | undefined, seconds: number): Promise<LoadResult & { cpu: number }> => {
    await prepare();
    const { cpuSeconds } = server.meters();
    const sent = await sendLoad({ port, requests, connections, seconds });
    return { ...sent, cpu: ((server.meters().cpuSeconds - cpuSeconds) / sent.count) * 1e6 };
  };
  const some = (count: number): (() => Buffer | undefined) => {
    let left = count;
    return () => (left-- > 0 ? next() : undefined);
  };
  const cold = isCold ? await timed(some(COLD_REQUESTS), WARM_SECONDS) : undefined;
  await timed(some(isCold ? WARM_REQUESTS : COLD_REQUESTS), WARM_SECONDS);
  const { cpu, rate, p50Ms, p99Ms } = await timed(next, SECONDS);
  return {
    ...(cold && { [`${what}, CPU cold`]: figure(cold.cpu, 'µs') }),
    [`${what}, CPU`]: figure(cpu, 'µs'),
    [what]: figure(rate, '/s'),
    [`${what}, p50`]: figure(p50Ms, 'ms'),
    [`${what}, p99`]: figure(p99Ms, 'ms'),
  };
}
