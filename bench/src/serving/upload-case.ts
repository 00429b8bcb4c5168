/** One upload to a server that 20 clients query meanwhile. */
import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BSBM_QUADS, checkCount, REPOSITORY } from '../data-sets.js';
import type { Context, Figures } from '../workload.js';
import { figure, pathOf } from '../workload.js';
import { ProgressWatch, statusOf } from './progress-watch.js';
import { Readers, someSubjects } from './readers.js';
import { startServer, type ServerProcess } from './server-process.js';
import { upload } from './upload.js';

const READERS = 20;
const POLL_MS = 100;
const RECLAIM_MS = 60_000;
const SLOW_MARKS = [10, 50, 100, 200];

export interface UploadCase {
  readonly multipart: boolean;
  readonly gzip: boolean;
}

/** Starts a server over a copy of the store of a million quads, which `use` may change. */
export async function withServer<T>(context: Context, use: (server: ServerProcess) => Promise<T>): Promise<T> {
  const store = join(await mkdtemp(join(context.scratch, 'served-')), 'store');
  await cp(pathOf(context, 'store-1m'), store, { recursive: true });
  const server = await startServer(store);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

/** Cuts the connection after half of an upload. Nothing of the upload may remain. */
export async function measureCut(context: Context): Promise<Figures> {
  const file = pathOf(context, 'bsbm-1m');
  return withServer(context, async (server) => {
    const repository = `${server.url}/${REPOSITORY}`;
    const before = { size: await sizeOf(repository), revisions: await revisionsOf(repository) };
    const bytesBefore = await bytesOf(repository);
    const bytes = context.megabytes * 1e6;
    await upload({ url: `${repository}/statements`, file, bytes, cutAt: bytes / 2, multipart: false, gzip: false });
    const start = performance.now();
    while ((await statusOf(repository)).working) await delay(POLL_MS);
    const seconds = (performance.now() - start) / 1000;
    const { status } = await statusOf(repository);
    if (status !== 'failed' && status !== 'aborted') throw new Error(`cut: the job is ${status}`);
    checkCount('cut', await sizeOf(repository), before.size);
    checkCount('cut: revisions', await revisionsOf(repository), before.revisions);
    const bytesAtEnd = await bytesOf(repository);
    let bytesAfter = bytesAtEnd;
    for (let waited = 0; waited < RECLAIM_MS && bytesAfter > bytesBefore * 1.2; waited += POLL_MS) {
      await delay(POLL_MS);
      bytesAfter = await bytesOf(repository);
    }
    const meters = server.meters();
    return {
      'cut: job ended after': { ...figure(seconds, 's'), meters },
      'cut: bytes before': { ...figure(bytesBefore / 1e6, 'MB'), meters },
      'cut: bytes given back to': { ...figure(bytesAfter / 1e6, 'MB'), meters },
    };
  });
}

/** Sends all statements to a client that pauses. The server's memory must not grow with the sent data. */
export async function measureSlowReader(context: Context): Promise<Figures> {
  return withServer(context, async (server) => {
    const response = await fetch(`${server.url}/${REPOSITORY}/statements`, {
      headers: { Accept: 'application/n-triples' },
    });
    const figures: Record<string, Figures[string]> = {};
    let received = 0;
    let mark = 0;
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      received += chunk.length;
      if (received >= SLOW_MARKS[mark]! * 1e6) {
        figures[`slow reader: RSS after ${String(SLOW_MARKS[mark++])} MB`] = figure(server.residentBytes() / 1e6, 'MB');
      }
      await delay(1);
    }
    const meters = server.meters();
    figures['slow reader: server peak RSS'] = figure(meters.peakBytes / 1e6, 'MB');
    return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, { ...value, meters }]));
  });
}

async function bytesOf(repository: string): Promise<number> {
  const { byte_size } = (await (await fetch(`${repository}/meta`)).json()) as { byte_size: number };
  return byte_size;
}

export async function measureUpload(context: Context, { multipart, gzip }: UploadCase): Promise<Figures> {
  const file = pathOf(context, 'bsbm-1m');
  const name = `${multipart ? 'multipart' : 'body'}${gzip ? ' gzip' : ''}`;
  return withServer(context, async (server) => {
    const repository = `${server.url}/${REPOSITORY}`;
    const before = await revisionsOf(repository);
    const readers = new Readers(`${repository}/sparql`, await someSubjects(file), READERS);
    const progress = new ProgressWatch(repository);
    const bytes = context.megabytes * 1e6;
    const sent = await upload({ url: `${repository}/statements`, file, bytes, multipart, gzip });
    if (sent.status !== 204) throw new Error(`${name}: answered with ${String(sent.status)} ${sent.answer}`);
    await progress.stop();
    const times = await readers.stop();
    checkCount(name, await sizeOf(repository), BSBM_QUADS['bsbm-1m'] + sent.lines);
    checkCount(`${name}: revisions`, (await revisionsOf(repository)) - before, 1);
    const { pct, working } = await statusOf(repository);
    if (working || pct !== 100) throw new Error(`${name}: the job stands at ${String(pct)} %`);
    const meters = server.meters();
    return Object.fromEntries(
      Object.entries({
        rate: figure(sent.bytes / 1e6 / sent.seconds, 'MB/s'),
        statements: figure(sent.lines / sent.seconds, '1/s'),
        'server peak RSS': figure(meters.peakBytes / 1e6, 'MB'),
        'readers p50': figure(times.p50, 'ms'),
        'readers p99': figure(times.p99, 'ms'),
        'readers max': figure(times.max, 'ms'),
        'readers rate': figure(times.requestsPerSecond, '1/s'),
        'server waited for its core': figure(server.waitedSeconds(), 's'),
        'progress still': figure(progress.longestStill, 's'),
        'progress at the end': figure(progress.last?.pct ?? 0, '%'),
      }).map(([what, value]) => [`${name}: ${what}`, { ...value, meters }]),
    );
  });
}

export async function sizeOf(repository: string): Promise<number> {
  return Number(await (await fetch(`${repository}/size`)).text());
}

export async function revisionsOf(repository: string): Promise<number> {
  return ((await (await fetch(`${repository}/revisions`)).json()) as unknown[]).length;
}
