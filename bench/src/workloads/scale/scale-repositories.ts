/**
 * Very many repositories in one store: creating them, opening the store, reading each. Measures time, memory and open
 * files.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'quadrille';
import { bytesOnDisk, peakBytes, timed } from '../../measure.js';
import { createRepositories, repositoryName } from '../../scale/many-repositories.js';
import type { Context, Figures, Workload } from '../../workload.js';
import { figure, pathOf } from '../../workload.js';

async function create({ scratch, sizes: { repositories } }: Context): Promise<Figures> {
  const path = join(scratch, 'store');
  const { seconds } = await timed(() => createRepositories(path, repositories));
  return {
    create: figure(repositories / seconds, 'repositories/s'),
    disk: figure((await bytesOnDisk(path)) / repositories, 'B/repository'),
  };
}

async function openAndReadAll(context: Context): Promise<Figures> {
  const { repositories } = context.sizes;
  const before = process.memoryUsage.rss();
  const opened = await timed(() => open(pathOf(context, 'store-repositories'), { create: false }));
  const db = opened.result;
  const openedRss = process.memoryUsage.rss();
  const filesOpened = openFiles();
  const first = await timed(() => nameIn(repositories >> 1));
  const all = await timed(async () => {
    for (let n = 0; n < repositories; n++) {
      if ((await nameIn(n)) !== repositoryName(n)) throw new Error(`${repositoryName(n)} holds something else`);
    }
  });
  const allRss = process.memoryUsage.rss();
  const listed = await timed(() => db.repositories().toArray());
  const files = openFiles();
  await db.close();
  return {
    open: figure(opened.seconds * 1000, 'ms'),
    'open, memory': figure((openedRss - before) / 1e6, 'MB'),
    'open, files': figure(filesOpened, 'files'),
    'first repository': figure(first.seconds * 1000, 'ms'),
    'read one after the other': figure(repositories / all.seconds, 'repositories/s'),
    'all read, memory': figure((allRss - before) / 1e6, 'MB'),
    'all read, files': figure(files, 'files'),
    list: figure(listed.seconds * 1000, 'ms'),
    peak: figure(peakBytes() / 1e6, 'MB'),
  };

  async function nameIn(n: number): Promise<string | undefined> {
    const repository = await db.repository(repositoryName(n));
    return (await repository.quads().first())?.object.value;
  }
}

/** Number of file descriptors of this process. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return Number.NaN;
  }
}

export const workload: Workload = {
  name: 'scale-repositories',
  parts: {
    create: { backend: 'quadrille', needs: [], measure: create },
    open: { backend: 'quadrille', needs: ['store-repositories'], measure: openAndReadAll },
  },
};
