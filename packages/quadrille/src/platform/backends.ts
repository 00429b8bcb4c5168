/** Where a store is: the backends that keep one in a directory, and shared stores. Each is loaded when a store needs it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FORMAT_VERSION } from '@quadrille/core';
import { InvalidArgumentError } from '@quadrille/model';
import type { OnDamage, StorageDriver } from '@quadrille/storage';
import type { DamagedOptions, DamagedStore } from '@quadrille/storage-directory';
import type { Backend, OpenOptions } from '../api/index.js';
import { loadOptional } from './load-optional.js';
import { checkSharedStore, isSharedStore, openSharedStore, withoutPassword } from './shared-stores.js';

const DEFAULT_BACKEND: Backend = 'leveldb';

interface BackendModule {
  /** The directory of its data in that of the store. */
  readonly directory: string;
  readonly open: (path: string, options: DirectoryOptions, given: OpenOptions) => Promise<StorageDriver>;
  readonly openDamaged: (path: string, options: DamagedOptions) => Promise<DamagedStore>;
}
interface DirectoryOptions {
  readonly create: boolean;
  readonly readOnly: boolean;
  readonly format: number;
  readonly lockTimeoutMs?: number;
}

const BACKENDS: Readonly<Record<Backend, BackendModule>> = {
  leveldb: {
    directory: 'level',
    open: async (path, options, { logger }) => {
      const { openLevelDirectory } = await import('@quadrille/storage-level');
      const directory = await openLevelDirectory(path, options);
      for (const warning of directory.warnings) logger?.warn(warning, { location: path });
      return directory;
    },
    openDamaged: async (path, options) => (await import('@quadrille/storage-level')).openDamagedLevel(path, options),
  },
  lmdb: {
    directory: 'lmdb',
    open: async (path, options) => (await loadLmdb()).openLmdbDirectory(path, options),
    openDamaged: async (path, options) => (await loadLmdb()).openDamagedLmdb(path, options),
  },
};

const isBackend = (name: unknown): name is Backend => typeof name === 'string' && Object.hasOwn(BACKENDS, name);

const wrong = (what: string, cause?: unknown): InvalidArgumentError =>
  new InvalidArgumentError('INVALID_OPTION', `open: ${what}`, cause === undefined ? {} : { cause });

/** The directory, or the shared store, that a URL means. @throws InvalidArgumentError `INVALID_OPTION` */
export function placeOf(location: URL): string {
  return isSharedStore(location.href) ? location.href : directoryOf(location);
}

/** The directory that a URL means. @throws InvalidArgumentError `INVALID_OPTION` */
export function directoryOf(location: URL): string {
  try {
    return fileURLToPath(location);
  } catch (cause) {
    throw wrong(
      `a store is a directory of this machine, and ${withoutPassword(String(location))} is none: a server is asked over HTTP`,
      cause,
    );
  }
}

/** Whether a text is no path, although it could be one: as a path it would make a directory `file:` or `postgres:`. */
const isUrlText = (location: unknown): location is string =>
  typeof location === 'string' && /^(?:[^/\\]+:\/\/|(?:postgres(?:ql)?|s3):)/i.test(location);

/** A mistyped URL of a database may have a password. */
const shownUrl = (location: string): string =>
  withoutPassword(location.replace(/^[^/\\:]+:\/*/, (scheme) => `${scheme.replace(/\W/g, '')}://`));

/**
 * Refuses a URL where only a directory, or a file, of this machine can stand.
 * @param what begins the message: who asks, and for what. @throws InvalidArgumentError `INVALID_OPTION`
 */
export function assertPath(what: string, location: unknown): void {
  if (!isUrlText(location)) return;
  throw new InvalidArgumentError('INVALID_OPTION', `${what} is a path on this machine, not ${shownUrl(location)}`);
}

/** @throws InvalidArgumentError `INVALID_OPTION` */
export function checkBackend(location: unknown, options: OpenOptions): void {
  const { backend, readOnly, create } = options;
  if (isSharedStore(location)) return checkSharedStore(options);
  if (isUrlText(location))
    throw wrong(
      `${shownUrl(location)} is a URL, but not of a store: give a path, new URL('file:…'), postgres://… or s3://…`,
    );
  if (backend !== undefined && !isBackend(backend)) {
    throw wrong(`backend is one of ${Object.keys(BACKENDS).join(', ')}, not ${JSON.stringify(backend)}`);
  }
  if (readOnly !== undefined && typeof readOnly !== 'boolean') throw wrong('readOnly is true or false');
  if (options.diskCache !== undefined) throw wrong('diskCache is for shared stores: postgres://… and s3://…');
  if (options.follow === true)
    throw wrong('follow is for databases by their URL, and for drivers that follow themselves');
  const directory = typeof location === 'string' && location !== ':memory:';
  if (!directory && (backend !== undefined || readOnly === true)) {
    throw wrong('backend and readOnly are for stores in a directory');
  }
  if (readOnly === true && create === true) throw wrong('a store that is made cannot be readOnly');
}

/** Opens the store in a directory with the backend that keeps it, or makes one; or a shared store by its URL. */
export async function openPlace(path: string, options: OpenOptions): Promise<StorageDriver> {
  if (isSharedStore(path)) return openSharedStore(path, options);
  const { readOnly = false, create = !readOnly, lockTimeoutMs } = options;
  const backend = options.backend ?? (await backendOf(path));
  const wait = lockTimeoutMs === undefined ? {} : { lockTimeoutMs };
  return BACKENDS[backend].open(path, { create, readOnly, format: FORMAT_VERSION, ...wait }, options);
}

/** Creates a store in a directory that does not exist. */
export function makeDirectory(path: string, backend: Backend): Promise<StorageDriver> {
  return BACKENDS[backend].open(path, { create: true, readOnly: false, format: FORMAT_VERSION }, {});
}

/** Locks a damaged store in order to read it. */
export function openDamagedDirectory(
  path: string,
  backend: Backend,
  onDamage: OnDamage,
  lockTimeoutMs: number,
): Promise<DamagedStore> {
  return BACKENDS[backend].openDamaged(path, { onDamage, format: FORMAT_VERSION, lockTimeoutMs });
}

/** The backend of a store whose marker may be missing or damaged: the data directory that exists decides. */
export async function damagedBackendOf(path: string): Promise<Backend> {
  const known = Object.keys(BACKENDS).filter(isBackend);
  const existing = known.filter((backend) => existsSync(join(path, BACKENDS[backend].directory)));
  return existing.length === 1 ? existing[0]! : backendOf(path);
}

/** The backend of an existing store, or the default backend for a new store. */
async function backendOf(path: string): Promise<Backend> {
  const { peekMarker } = await import('@quadrille/storage-directory');
  const name = (await peekMarker(path))?.backend ?? DEFAULT_BACKEND;
  if (isBackend(name)) return name;
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `The store ${path} is kept by ${name}, which open() does not know: give its driver as { storage }.`,
    { details: { path, backend: name } },
  );
}

const loadLmdb = (): Promise<typeof import('@quadrille/lmdb')> =>
  loadOptional('The backend lmdb', '@quadrille/lmdb', () => import('@quadrille/lmdb'));
