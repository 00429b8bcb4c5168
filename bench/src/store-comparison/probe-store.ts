/** Loads the sample into a store. Nothing of it is a result: it serves the estimate of the time. */
import { mkdir } from 'node:fs/promises';
import type { StoreKind } from '../stores/store.js';
import type { Figures } from '../workload.js';
import { figure } from '../workload.js';
import type { Plan } from './plan.js';

export async function probeStore(kind: StoreKind, directory: string, { probe }: Plan): Promise<Figures> {
  await mkdir(directory, { recursive: true });
  const store = await kind.open(directory);
  const begin = performance.now();
  await store.load(probe.file);
  const load = performance.now() - begin;
  await store.close();
  return { load: figure(load, 'ms') };
}
