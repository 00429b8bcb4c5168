/** The stores that the workloads of the engine measure, in whichever of our backends keeps them. */
import { type Database, type Durability, open } from 'quadrille';
import { REPOSITORY } from './data-sets.js';
import { type Context, type Need, pathOf, type Storage } from './workload.js';

export interface OpenOptions {
  readonly durability?: Durability;
  readonly cacheBytes?: number;
}

/** A new store, or the one that is in the directory. One in memory is always new. */
export function openEngine(storage: Storage, path: string, options: OpenOptions = {}): Promise<Database> {
  if (storage === 'memory') return open(':memory:', options);
  return open(path, { backend: storage, ...options });
}

/** A store that was made ready; one in memory is made of the document. */
export async function openReady(context: Context, need: Need): Promise<Database> {
  const path = pathOf(context, need);
  const db = await openEngine(context.storage, path);
  if (context.storage === 'memory') {
    await (await db.repository(REPOSITORY, { create: true })).load(path);
  }
  return db;
}

/** The same store once more, with nothing in its caches; one in memory stays as it is, and is never closed. */
export async function reopened(
  db: Database,
  storage: Storage,
  path: string,
  whileClosed?: () => Promise<void>,
): Promise<Database> {
  if (storage === 'memory') return db;
  await db.close();
  await whileClosed?.();
  return openEngine(storage, path);
}
