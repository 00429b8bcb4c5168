/** Small commits, one after the other and from many clients at once, with and without waiting for the disk. */
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Durability, Repository } from 'quadrille';
import { callRate } from '../../call-rate.js';
import { REPOSITORY } from '../../data-sets.js';
import { openEngine } from '../../engine-store.js';
import { clientsRate, commitRate, newQuads } from '../../new-quads.js';
import { openQuadstore } from '../../stores/quadstore-store.js';
import type { Context, Figures, Part, Workload } from '../../workload.js';
import { figure, STORAGES } from '../../workload.js';

/** Long enough to include flushes and merges. */
const TIMES = { warmMs: 500, measureMs: 3000 };
const CLIENTS = 64;

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

const single = (name: string) => async (repository: Repository) => ({
  [name]: figure(await commitRate(repository, TIMES), 'commits/s'),
});

const batches = (size: number) => async (repository: Repository) => ({
  [`process x${size}`]: figure((await commitRate(repository, TIMES, size)) * size, 'quads/s'),
});

const clients = async (repository: Repository): Promise<Figures> => ({
  [`disk, ${CLIENTS} clients`]: figure(await clientsRate(repository, CLIENTS, TIMES), 'commits/s'),
});

/** The lower bound of a durable commit here: 256 bytes appended to a file, then fdatasync. */
async function bareSync({ scratch }: Context): Promise<Figures> {
  const file = await openFile(join(scratch, 'file'), 'a');
  const bytes = Buffer.alloc(256, 1);
  const writes = await callRate(async () => {
    await file.write(bytes);
    await file.datasync();
  }, TIMES);
  await file.close();
  return { disk: figure(writes, 'commits/s') };
}

async function quadstorePuts({ scratch }: Context): Promise<Figures> {
  const store = await openQuadstore(join(scratch, 'store'));
  const quads = newQuads();
  const puts = await callRate(async () => void (await store.put(quads.next().value)), TIMES);
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
