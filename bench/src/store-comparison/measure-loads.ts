/** Loads the data into an empty store. */
import { mkdir } from 'node:fs/promises';
import { bytesOnDisk, peakBytes, timed } from '../measure.js';
import type { StoreKind } from '../stores/store.js';
import type { Figures, Meters } from '../workload.js';
import { figure } from '../workload.js';
import type { Plan } from './plan.js';

/** Measures from opening to closing, so that postponed work is included. */
export async function measureLoad(kind: StoreKind, directory: string, { file, data }: Plan): Promise<Figures> {
  await mkdir(directory, { recursive: true });
  let size = 0;
  let server: Meters = { cpuSeconds: 0, peakBytes: 0 };
  const load = await timed(async () => {
    const store = await kind.open(directory);
    await store.load(file);
    size = await store.size();
    server = store.server?.() ?? server;
    await store.close();
  });
  const meters = { cpuSeconds: load.cpuSeconds + server.cpuSeconds, peakBytes: peakBytes() + server.peakBytes };
  const bytes = await bytesOnDisk(directory);
  // A wrong number of quads counts as a wrong answer.
  const answers = [{ rows: size, digest: 0 }];
  return {
    load: { ...figure(data.quads / load.seconds, 'quads/s'), answers, meters },
    'memory to load': { ...figure(meters.peakBytes / 1e6, 'MB'), answers, meters },
    ...(bytes === 0 ? {} : { disk: { ...figure(bytes / data.quads, 'B/quad'), answers, meters } }),
  };
}
