/** The cheapest call of RPC over HTTP with 16 connections: the server on one core, the client on another. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postRequest, sendLoad, sendOnce } from '../../http/requests.js';
import { startServer } from '../../http/server.js';
import type { Figures, Workload } from '../../workload.js';
import { figure } from '../../workload.js';

const CONNECTIONS = 16;
const WARM_SECONDS = 3;
const SECONDS = 6;
const PATH = '/rpc/2012-06-01';

const CONSTANT = fileURLToPath(new URL('../../http/constant-server.js', import.meta.url));
const QUADRILLE = fileURLToPath(new URL('../../../../packages/quadrille/bin/quadrille.js', import.meta.url));

const METHOD = 'DescribeService';
/** Requests by the name of their figure. */
const CALLS: Readonly<Record<string, Buffer>> = {
  'JSON-RPC': postRequest(PATH, 'application/json', JSON.stringify({ jsonrpc: '2.0', id: 1, method: METHOD })),
  'XML-RPC': postRequest(
    PATH,
    'text/xml',
    `<?xml version="1.0"?>\n<methodCall><methodName>${METHOD}</methodName><params></params></methodCall>\n`,
  ),
};

async function measure(script: string, args: readonly string[]): Promise<Figures> {
  const server = await startServer(script, args);
  const figures: Record<string, Figures[string]> = {};
  try {
    for (const [name, call] of Object.entries(CALLS)) {
      if (args.length > 0) checkAnswer(await sendOnce(server.port, call));
      const load = { port: server.port, requests: [call], connections: CONNECTIONS };
      await sendLoad({ ...load, seconds: WARM_SECONDS });
      const before = server.meters();
      const { rate, p99Ms } = await sendLoad({ ...load, seconds: SECONDS });
      const meters = server.meters();
      figures[name] = { ...figure(rate, '/s'), meters };
      figures[`${name}, p99`] = figure(p99Ms, 'ms');
      figures[`${name}, CPU`] = figure(((meters.cpuSeconds - before.cpuSeconds) / (rate * SECONDS)) * 1e6, 'µs');
    }
  } finally {
    await server.stop();
  }
  return figures;
}

function checkAnswer(body: string): void {
  if (!body.includes('nominal')) throw new Error(`DescribeService answered ${body}`);
}

export const workload: Workload = {
  name: 'describe-service',
  parts: {
    constant: { backend: 'control', needs: [], measure: () => measure(CONSTANT, []) },
    quadrille: {
      backend: 'quadrille',
      needs: [],
      measure: ({ scratch }) =>
        measure(QUADRILLE, ['serve', join(scratch, 'store'), '--port', '0', '--open', '--json']),
    },
  },
  comparisons: Object.keys(CALLS).flatMap((name) => [
    { figure: name, backend: 'control', how: 'ratio' as const },
    // If other programs use the machine, rates depend on them. CPU times do not.
    { figure: `${name}, CPU`, backend: 'control', how: 'inverse' as const },
  ]),
};
