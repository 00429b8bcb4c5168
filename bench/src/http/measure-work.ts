/** Sends one kind of requests to a server, and measures the answers and the server. */
import { type Figures, figure } from '../workload.js';
import { sendLoad } from './requests.js';
import type { MeasuredServer } from './server.js';
import type { Work } from './work.js';

/** Requests before it is measured: a server compiles what it does often. */
const WARM_REQUESTS = 4000;
const WARM_SECONDS = 20;
const SECONDS = 3;
const PREPARING = 8;

/** Rate, latencies, and the processor time of the server for a request. Their names begin with `what`. */
export async function measureWork(
  server: MeasuredServer,
  { next, before }: Work,
  connections: number,
  what: string,
): Promise<Figures> {
  const { port } = server;
  const prepare = async (): Promise<void> => {
    const requests = [...(before?.() ?? [])];
    await sendLoad({ port, requests: () => requests.pop(), connections: PREPARING, seconds: Infinity });
  };
  await prepare();
  let left = WARM_REQUESTS;
  const warm = (): Buffer | undefined => (left-- > 0 ? next() : undefined);
  await sendLoad({ port, requests: warm, connections, seconds: WARM_SECONDS });
  await prepare();
  const { cpuSeconds } = server.meters();
  const { count, rate, p50Ms, p99Ms } = await sendLoad({ port, requests: next, connections, seconds: SECONDS });
  return {
    [`${what}, CPU`]: figure(((server.meters().cpuSeconds - cpuSeconds) / count) * 1e6, 'µs'),
    [what]: figure(rate, '/s'),
    [`${what}, p50`]: figure(p50Ms, 'ms'),
    [`${what}, p99`]: figure(p99Ms, 'ms'),
  };
}
