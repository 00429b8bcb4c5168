/** Databases with query threads. A thread runs built JavaScript: build first. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Database,
  open,
  type OpenOptions,
  type ReadView,
  type Repository,
  type SparqlText,
  type WorkerFigures,
} from 'quadrille';
import { hostOf, type HostQueryOptions } from 'quadrille/host';
import { threadSettings } from '../../packages/quadrille/src/threads/thread-settings.js';

const usual = {
  ...threadSettings,
  file: pathToFileURL(resolve(import.meta.dirname, '../../packages/quadrille/dist/query-thread.js')),
};
Object.assign(threadSettings, usual);

/** Puts back what a test has set. Only the file is another one: tests run sources, which have none. */
export const resetSettings = (): void => void Object.assign(threadSettings, usual);

/** Every query goes to a thread that is idle, or none does. */
export function useThreads(use: boolean): void {
  threadSettings.leastCostMs = use ? -1 : Infinity;
}

export interface Opened {
  readonly database: Database;
  readonly repository: Repository;
  readonly folder: string;
  /** Closes the database and deletes its folder. */
  remove(): Promise<void>;
}

export async function openWithThreads(options: OpenOptions): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'quadrille-threads-'));
  const database = await open(join(folder, 'store'), { durability: 'process', ...options });
  const repository = await database.repository('a/r', { create: true });
  const remove = async (): Promise<void> => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { database, repository, folder, remove };
}

/** Resolves when a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((next) => setTimeout(next, 5));
}

export const figures = (database: Database): WorkerFigures => database.metrics().workers;

/** Starts threads with queries that the main thread answers meanwhile, and waits until so many are idle. */
export async function startThreads({ database, repository }: Opened, count: number): Promise<void> {
  useThreads(true);
  for (let started = 0; started < count; started++) await textOf(repository, 'ASK {}', 'json', { memoryBytes: 1e6 });
  await until(() => figures(database).idle >= count);
}

export async function textOf(
  view: ReadView,
  query: SparqlText,
  format: string,
  options?: HostQueryOptions,
): Promise<string> {
  return (await hostOf(view).serialize(query, format, options).toArray()).join('');
}

/** Counts the queries that threads take while `work` runs. */
export async function takenDuring(database: Database, work: () => Promise<unknown>): Promise<number> {
  const before = figures(database).queries;
  await work();
  return figures(database).queries - before;
}
