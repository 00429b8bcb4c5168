/** One upload into a served store that 20 clients read meanwhile. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { BSBM_QUADS, checkCount, REPOSITORY } from '../data-sets.js';
import type { Context, Figures } from '../workload.js';
import { figure, pathOf } from '../workload.js';
import { ProgressWatch, statusOf } from './progress-watch.js';
import { Readers, someSubjects } from './readers.js';
import { startServer, type ServerProcess } from './server-process.js';
import { upload } from './upload.js';

const READERS = 20;

export interface UploadCase {
  readonly multipart: boolean;
  readonly gzip: boolean;
}

/** A server over a copy of the store of a million, which `use` may change. */
export async function withServer<T>(context: Context, use: (server: ServerProcess) => Promise<T>): Promise<T> {
  const store = join(context.scratch, 'store');
  await cp(pathOf(context, 'store-1m'), store, { recursive: true });
  const server = await startServer(store);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
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
