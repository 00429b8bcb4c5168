/** Small commits, one after the other and from many clients at once, with and without waiting for the disk. */
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Durability, Repository } from 'quadrille';
import { callRate } from '../../call-rate.js';
import { checkCount, REPOSITORY } from '../../data-sets.js';
import { openEngine } from '../../engine-store.js';
import { newQuads } from '../../new-quads.js';
import { openQuadstore } from '../../stores/quadstore-store.js';
import type { Context, Figures, Part, Workload } from '../../workload.js';
import { figure, STORAGES } from '../../workload.js';

/** Measuring time in milliseconds. It is long enough to include flushes and merges. */
const MEASURE_MS = 3000;
const WARM_MS = 500;
const CLIENTS = 64;

const rate = (call: () => Promise<void>): Promise<number> => callRate(call, { warmMs: WARM_MS, measureMs: MEASURE_MS });

function quadrille(durability: Durability, run: (repository: Repository) => Promise<Figures>): Part {
  return {
    backend: 'quadrille',
    needs: [],
    storages: STORAGES,
    measure: async ({ scratch, storage }: Context) => {
      const db = await openEngine(storage, join(scratch, 'store'), { durability });
      const repository = await db.repository(REPOSITORY, { create: true });
      const figures = await run(repository);
      // Revision 1 is empty, and every commit added quads.
      const { number } = await repository.revision();
      if (number < 10 || (await repository.size()) < number - 1) throw new Error('commits are missing');
      await db.close();
      return figures;
    },
  };
}

const single = (name: string) => async (repository: Repository) => {
  const quads = newQuads();
  const commits = await rate(async () => void (await repository.add(quads.next().value)));
  return { [name]: figure(commits, 'commits/s') };
};

const batches = (size: number) => async (repository: Repository) => {
  const quads = newQuads();
  const commits = await rate(async () => {
    await repository.add(Array.from({ length: size }, () => quads.next().value));
  });
  return { [`process x${size}`]: figure(commits * size, 'quads/s') };
};

/** Commits of all clients together. Each client waits for its own commit. */
async function clients(repository: Repository): Promise<Figures> {
  const quads = newQuads();
  let commits = 0;
  const stop = new AbortController();
  const client = async (): Promise<void> => {
    for (; !stop.signal.aborted; commits++) await repository.add(quads.next().value);
  };
  const all = Promise.all(Array.from({ length: CLIENTS }, client));
  await new Promise((resolve) => setTimeout(resolve, WARM_MS));
  const [before, start] = [commits, performance.now()];
  await new Promise((resolve) => setTimeout(resolve, MEASURE_MS));
  const perSecond = (commits - before) / ((performance.now() - start) / 1000);
  stop.abort();
  await all;
  checkCount('clients', await repository.size(), commits);
  return { [`disk, ${CLIENTS} clients`]: figure(perSecond, 'commits/s') };
}

/** The lower bound of a durable commit here: 256 bytes appended to a file, then fdatasync. */
async function bareSync({ scratch }: Context): Promise<Figures> {
  const file = await openFile(join(scratch, 'file'), 'a');
  const bytes = Buffer.alloc(256, 1);
  const writes = await rate(async () => {
    await file.write(bytes);
    await file.datasync();
  });
  await file.close();
  return { disk: figure(writes, 'commits/s') };
}

async function quadstorePuts({ scratch }: Context): Promise<Figures> {
  const store = await openQuadstore(join(scratch, 'store'));
  const quads = newQuads();
  const puts = await rate(async () => void (await store.put(quads.next().value)));
  await store.close();
  return { process: figure(puts, 'commits/s') };
}

export const workload: Workload = {
  name: 'commits',
  parts: {
    process: quadrille('process', single('process')),
    'quadstore process': { backend: 'quadstore', needs: [], measure: quadstorePuts },
    'process x100': quadrille('process', batches(100)),
    'process x1000': quadrille('process', batches(1000)),
    disk: quadrille('disk', single('disk')),
    'bare disk': { backend: 'control', needs: [], measure: bareSync },
    clients: quadrille('disk', clients),
  },
  comparisons: [
    { figure: 'process', backend: 'quadstore', how: 'ratio' },
    { figure: 'disk', backend: 'control', how: 'ratio' },
  ],
};
