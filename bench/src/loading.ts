/** Loads BSBM from the unpacked N-Triples file, as users do, and measures the costs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
// Loads the driver before the clock starts, like those of the other stores. Otherwise the first open() would load it.
import '@quadrille/storage-level';
import { BSBM_QUADS, checkCount, REPOSITORY } from './data-sets.js';
import type { BsbmSet } from './data-sets.js';
import { bytesOnDisk, peakBytes, timed, TimerWatch } from './measure.js';
import { openEngine } from './engine-store.js';
import type { Elapsed } from './measure.js';
import { installed } from './stores/installed.js';
import type { Context, Figures, Part, Storage } from './workload.js';
import { figure, pathOf, STORAGES } from './workload.js';

/** Loads the file into a new, durable store in `path`. Measures from opening to closing. */
export function loadQuadrille(storage: Storage, path: string, file: string, set: BsbmSet): Promise<Elapsed<void>> {
  return timed(async () => {
    const db = await openEngine(storage, path, { durability: 'disk' });
    const repository = await db.repository(REPOSITORY, { create: true });
    await repository.load(file);
    checkCount('load', await repository.size(), BSBM_QUADS[set]);
    await db.close();
  });
}

/** Rates, disk space and memory of a load that this process has just done. */
export async function loadFigures(path: string, set: BsbmSet, load: Elapsed<unknown>): Promise<Figures> {
  const quads = BSBM_QUADS[set];
  return {
    rate: figure(quads / load.cpuSeconds, 'quads/CPU-s'),
    wall: figure(load.seconds, 's'),
    peak: figure(peakBytes() / 1e6, 'MB'),
    ...(existsSync(path) ? { disk: figure((await bytesOnDisk(path)) / quads, 'B/quad') } : {}),
  };
}

/** Rates of a load in a process that has done the same load before. */
export function againFigures(set: BsbmSet, load: Elapsed<unknown>): Figures {
  const quads = BSBM_QUADS[set];
  return { 'rate again': figure(quads / load.cpuSeconds, 'quads/CPU-s'), 'wall again': figure(load.seconds, 's') };
}

/** With `again`, the process loads twice, and the second figure excludes the time of the compiler. */
export function quadrilleLoad(set: BsbmSet, again = false): Part {
  return {
    backend: 'quadrille',
    needs: [set],
    storages: STORAGES,
    measure: async (context: Context) => {
      const { storage } = context;
      if (storage === 'lmdb') await installed('@quadrille/lmdb');
      const path = join(context.scratch, 'store');
      const watch = new TimerWatch();
      const load = await loadQuadrille(storage, path, pathOf(context, set), set);
      const late = watch.stop();
      const figures = { ...(await loadFigures(path, set, load)), 'timer lateness': figure(late, 'ms') };
      if (!again) return figures;
      const second = await loadQuadrille(storage, join(context.scratch, 'again'), pathOf(context, set), set);
      return { ...figures, ...againFigures(set, second) };
    },
  };
}
