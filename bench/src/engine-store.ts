/** Opens the stores for the workloads of the engine, with any of our backends. */
import { type Database, type Durability, open } from 'quadrille';
import { REPOSITORY } from './data-sets.js';
import { type Context, type Need, pathOf, type Storage } from './workload.js';

export interface OpenOptions {
  readonly durability?: Durability;
  readonly cacheBytes?: number;
}

/** Opens the store in the directory, or creates it. A store in memory is always new. */
export function openEngine(storage: Storage, path: string, options: OpenOptions = {}): Promise<Database> {
  if (storage === 'memory') return open(':memory:', options);
  return open(path, { backend: storage, ...options });
}

/** Opens a prepared store. A store in memory loads the document instead. */
export async function openReady(context: Context, need: Need): Promise<Database> {
  const path = pathOf(context, need);
  const db = await openEngine(context.storage, path);
  if (context.storage === 'memory') {
    await (await db.repository(REPOSITORY, { create: true })).load(path);
  }
  return db;
}

/** Closes the store and opens it again, so that its caches are empty. Returns a store in memory unchanged and open. */
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
