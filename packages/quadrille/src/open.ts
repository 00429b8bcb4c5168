/** Opens a database: picks the driver, the engine and the evaluator, and wires them. */
import { platform } from '#platform';
import { platformEnv, Store, termCacheLimit, transactionMemory } from '@quadrille/core';
import { InvalidArgumentError, StateError } from '@quadrille/model';
import { lazyEngine } from './sparql/lazy-engine.js';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import type { Database, Logger, OpenOptions, Signer } from './api/index.js';
import { OpenDatabase } from './database.js';
import type { AfterCommits } from './database.js';
import { openFederation } from './federation/federation.js';
import { DEFAULT_NAMESPACES } from './names/namespaces.js';
import { DISK_CACHE_OPTIONS, OPEN_OPTIONS, QUERY_LIMITS } from './options/calls.js';
import { checkOptions } from './options/check-options.js';
import { checkPublished, isPublished, openPublished } from './publish/open-published.js';

/**
 * A directory by its path or file URL (in a browser: a name), the URL of a database (`postgres://…`), the address of a published store
 * (`https://…`), `':memory:'`, or a storage driver of the caller's choice.
 * @since 0.1.0
 */
export type Location =
  | string
  | URL
  | {
      /** The driver. The database owns it and closes it. */
      readonly storage: StorageDriver;
    };

/** Bytes that a query may fetch of a published store. */
const MOST_FETCHED = 64 * 1024 * 1024;

const UPGRADE =
  'the first commit of this version upgrades the store: earlier versions will refuse it, and this cannot be undone';

/**
 * Opens a store, or creates one. The process owns the store until `close()`, unless it is opened with `readOnly` and LMDB. Opening reads no
 * quads. After a crash it repeats what the journal has, which takes at most some seconds.
 * @param place a directory by its path or file URL (in a browser: a name), the URL of a database, the address of a published store,
 *   `':memory:'`, or a storage driver
 * @throws StateError `STORE_LOCKED` where another process has it, `NOT_A_STORE` for a directory with other files
 * @throws NotFoundError `STORE_NOT_FOUND` with `create: false`
 * @throws InvalidArgumentError `INVALID_OPTION`
 * @throws CorruptionError `FORMAT_VERSION` for a store of a newer version; `CHECKSUM`, `LOG_BROKEN`
 * @throws StorageError `STORAGE_IO`, `STORAGE_FULL`; of a database also `STORE_UNAVAILABLE`, `STORE_ACCESS`, `STORE_UNSAFE`, `LEASE_LOST`,
 * and later calls `COMMIT_UNKNOWN`, `HISTORY_LOST`, `SNAPSHOT_EXPIRED`; of a published store `HOST_UNSUITABLE`
 * @throws FetchError `FETCH_FAILED`, `FETCH_TIMEOUT` of a published store, and later queries `FETCH_TOO_LARGE`
 * @example
 * ```ts
 * import { open } from 'quadrille';
 *
 * const db = await open('./data');
 * const repo = await db.repository('acme/people', { create: true });
 * await repo.update('INSERT DATA { <urn:ann> foaf:name "Ann" }', { message: 'the first one' });
 * console.log(await repo.select('SELECT ?name { ?person foaf:name ?name }', { values: 'js' }).toArray()); // [ { name: 'Ann' } ]
 * await db.close();
 * ```
 * @since 0.1.0
 */
export async function open(place: Location, options: OpenOptions = {}): Promise<Database> {
  checkOptions(options, OPEN_OPTIONS, 'open');
  checkOptions(options.queries, QUERY_LIMITS, 'open: queries');
  checkOptions(options.diskCache, DISK_CACHE_OPTIONS, 'open: diskCache');
  const isAddress = place instanceof URL && isPublished(place.href);
  const location = isAddress ? place.href : place instanceof URL ? platform.pathOf(place) : place;
  if (isPublished(location)) checkPublished(options);
  else platform.checkStorage(location, options);
  const openOwn = (given: OpenOptions): Promise<Database> => openHere(location, given);
  const isDirectory =
    typeof location === 'string' &&
    location !== ':memory:' &&
    !isPublished(location) &&
    !platform.isSharedStore(location);
  const { openShared, joinShared } = platform;
  if (options.share === true) {
    if (isDirectory && openShared !== undefined) return openShared(location, options, openOwn);
    throw new InvalidArgumentError('INVALID_OPTION', 'open: share is for stores in a directory');
  }
  if (!isDirectory || joinShared === undefined || options.share === false) return openOwn(options);
  try {
    return await openOwn({ ...options, lockTimeoutMs: 0 });
  } catch (error) {
    if (!(error instanceof StateError) || error.code !== 'STORE_LOCKED') throw error;
    return joinShared(location, options, openOwn, error).catch((locked: unknown) => {
      if (locked !== error || (options.lockTimeoutMs ?? 0) === 0) throw locked;
      return openOwn(options);
    });
  }
}

/** Opens the store in this process. */
async function openHere(location: Exclude<Location, URL>, options: OpenOptions): Promise<Database> {
  const { durability = 'disk', cacheBytes, repositoryBytes, workers = 0 } = options;
  const shares = platform.heapShares;
  if (shares !== undefined) {
    transactionMemory.limitBytes = shares.transactionBytes;
    termCacheLimit.bytes = shares.termCacheBytes;
  }
  const remote = await openFederation(options.federation, options.contexts);
  const sparql = lazyEngine(remote, {
    limits: options.queries,
    functions: options.functions,
    aggregates: options.aggregates,
  });
  const { maxBytes = MOST_FETCHED } = options;
  const driver = await driverFor(location, options, (bytes) => sparql.charge(bytes, maxBytes));
  const engine = await StorageEngine.open(driver);
  try {
    const threads = await platform.openThreads?.(location, {
      workers,
      engine,
      driver,
      cacheBytes,
      logger: options.logger,
    });
    const store = await Store.open(engine, {
      env: platformEnv(),
      durable: durability === 'disk',
      cacheBytes: threads?.cacheBytes ?? cacheBytes,
      repositoryBytes: repositoryBytes ?? shares?.repositoryBytes,
      namespaces: DEFAULT_NAMESPACES,
      upgrade: options.upgrade,
      onUpgrade: (from) => options.logger?.warn(UPGRADE, { location: driver.name, format: from }),
    });
    const afterCommits = await afterCommitsOf(options);
    return new OpenDatabase(
      typeof location === 'string' ? platform.nameOf(location) : driver.name,
      store,
      sparql,
      threads,
      afterCommits,
      options.contexts,
    );
  } catch (error) {
    await engine.close().catch(() => undefined);
    throw error;
  }
}

async function afterCommitsOf({ signer, embed, readOnly, follow, logger }: OpenOptions): Promise<AfterCommits[]> {
  const found: AfterCommits[] = [];
  if (signer !== undefined) found.push(await commitSigner(signer, logger));
  if (embed !== undefined && readOnly !== true && follow !== true) {
    const { Embedder } = await import('./maintenance/embedder.js');
    found.push((core) => new Embedder(core, embed, logger));
  }
  return found;
}

async function commitSigner(given: string | Signer, logger: Logger | undefined): Promise<AfterCommits> {
  const { asSigner, CommitSigner } = await import('./integrity/index.js');
  const signer = await asSigner(given);
  return (core) => new CommitSigner(core, signer, logger);
}

async function driverFor(
  location: Exclude<Location, URL>,
  options: OpenOptions,
  onFetch: (bytes: number) => void,
): Promise<StorageDriver> {
  if (location === ':memory:') return new MemoryDriver();
  if (typeof location === 'object' && location !== null && typeof location.storage === 'object')
    return location.storage;
  if (typeof location !== 'string' || location === '') {
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      `open: a location is a path, a file URL, ':memory:' or { storage }, not ${String(location)}`,
    );
  }
  if (isPublished(location)) return openPublished(location, options, platform.publishedParts, onFetch);
  return platform.openStorage(location, options);
}
