/** The mixes of the Berlin SPARQL Benchmark over a million triples, by 1, 4 and 16 clients: mixes in an hour, and processor time of the server for one. */
import { createReadStream } from 'node:fs';
import { open } from 'quadrille';
import { REPOSITORY } from '../../data-sets.js';
import { type Mix, mixesOf } from '../../http/bsbm-mixes.js';
import { sendLoad } from '../../http/requests.js';
import type { MeasuredServer } from '../../http/server.js';
import { partsOf, type Subject, SUBJECTS } from '../../http/subjects.js';
import { ParameterSource } from '../../sparql/parameter-source.js';
import { type Context, type Figures, figure, type Need, pathOf, type Workload } from '../../workload.js';

/** In this order: the first ones warm the server. */
const CLIENTS = [4, 16, 1] as const;
const WARM_SECONDS = 10;
const SECONDS = 20;
const NEEDS: readonly Need[] = ['bsbm-1m', 'store-1m'];

async function measure(subject: Subject, context: Context): Promise<Figures> {
  const server = await subject.start(context.scratch);
  const figures: Record<string, Figures[string]> = {};
  try {
    await load(server, subject, pathOf(context, 'bsbm-1m'));
    const mixes = mixesOf(subject, await parameters(pathOf(context, 'store-1m')));
    for (const [name, mix] of Object.entries(mixes)) {
      if (context.queries.length > 0 && !context.queries.includes(name)) continue;
      await send(server, mix, CLIENTS[0], WARM_SECONDS);
      for (const clients of CLIENTS) {
        const what = `${name}, ${String(clients)} ${clients === 1 ? 'client' : 'clients'}`;
        const { rate, cpu } = await send(server, mix, clients, SECONDS);
        figures[what] = figure(rate * 3600, 'mixes/h');
        figures[`${what}, CPU`] = figure(cpu * 1000, 'ms');
      }
    }
  } finally {
    await server.stop();
  }
  return figures;
}

/** Mixes in a second, and seconds of the server's processors for one. */
async function send(
  server: MeasuredServer,
  { next, length }: Mix,
  connections: number,
  seconds: number,
): Promise<{ rate: number; cpu: number }> {
  const { cpuSeconds } = server.meters();
  const { count, rate } = await sendLoad({ port: server.port, requests: next, connections, seconds });
  return { rate: rate / length, cpu: ((server.meters().cpuSeconds - cpuSeconds) / count) * length };
}

async function load({ port }: MeasuredServer, subject: Subject, file: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${String(port)}${subject.load}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/n-triples' },
    body: createReadStream(file) as unknown as ReadableStream,
    duplex: 'half',
  } as RequestInit);
  if (!response.ok) throw new Error(`the load ended with ${String(response.status)}: ${await response.text()}`);
  await response.arrayBuffer();
}

async function parameters(store: string): Promise<ParameterSource> {
  const db = await open(store, { create: false });
  try {
    return await ParameterSource.read(await db.repository(REPOSITORY));
  } finally {
    await db.close();
  }
}

const names = ['explore', 'explore and update', 'business'].flatMap((name) =>
  CLIENTS.map((clients) => `${name}, ${String(clients)} ${clients === 1 ? 'client' : 'clients'}`),
);

export const workload: Workload = {
  name: 'bsbm',
  parts: partsOf(measure, NEEDS),
  comparisons: Object.keys(SUBJECTS)
    .filter((backend) => backend !== 'quadrille')
    .flatMap((backend) =>
      names.flatMap((name) => [name, `${name}, CPU`]).map((name) => ({ figure: name, backend, how: 'ratio' as const })),
    ),
  layout: 'columns',
};
