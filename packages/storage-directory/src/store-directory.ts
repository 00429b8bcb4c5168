/**
 * The work of every backend in a directory before it opens its own files. It distinguishes a store from other
 * directories, takes the lock, and reads or creates the marker. The directory contains `quadrille.json` (marker),
 * `quadrille.pid` (lock) and a separate directory of the backend, so that the files do not mix.
 */

import { existsSync } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { NotFoundError, StateError } from '@quadrille/model';
import type { DataDriver, DirectoryBackend } from './backend.js';
import { makeDirectory } from './files.js';
import {
  beginCreation,
  classifyDirectory,
  finishCreation,
  peekMarker,
  readMarker,
  type DirectoryKind,
  type StoreMarker,
} from './marker.js';
import { acquireProcessLock, type ProcessLock } from './process-lock.js';
import { NEWEST_FORMAT, StoreFormat } from './store-format.js';

export interface StoreDirectoryOptions {
  /** Whether to create the store if the directory is missing or empty. Default false. */
  readonly create?: boolean;
  /** The format of a new store, and the newest accepted format of an existing one. Default 4. */
  readonly format?: number;
  /** How long to wait for a held lock, in milliseconds. Default 0. */
  readonly lockTimeoutMs?: number;
}

/** A directory whose lock is held. */
export interface HeldDirectory {
  /** Absolute path without symbolic links. */
  readonly path: string;
  readonly marker: StoreMarker;
  readonly format: StoreFormat;
  readonly lock: ProcessLock;
  /** The directory of the backend's data. */
  readonly dataPath: string;
  /** Set while the directory is not a store yet. Creates and opens the data, then makes the directory a store. */
  readonly create?: (data: Pick<DataDriver, 'create' | 'close'>) => Promise<void>;
}

/** The properties of a backend that are needed to hold a directory. */
type Backend = Pick<DirectoryBackend, 'name' | 'dataDirectory' | 'unlocked'>;

/**
 * Takes the lock of a store's directory. With `create`, begins to create the store. The caller releases the lock.
 * @throws NotFoundError `STORE_NOT_FOUND`; StateError `STORE_LOCKED`, `NOT_A_STORE`; CorruptionError
 * `FORMAT_VERSION`; InvalidArgumentError `INVALID_OPTION` if the store has another backend
 */
export async function holdDirectory(
  path: string,
  backend: Backend,
  options: StoreDirectoryOptions,
): Promise<HeldDirectory> {
  const real = await prepareDirectory(path, backend, options);
  const lock = await acquireProcessLock(real, options.lockTimeoutMs ?? 0, backend.unlocked);
  try {
    // Checks again: another process may have created the store before this one got the lock.
    const kind = await classifyUsable(real, backend, options);
    const { format = NEWEST_FORMAT } = options;
    const dataPath = join(real, backend.dataDirectory);
    if (kind === 'store') {
      const marker = await readMarker(real, format, backend.name);
      return { path: real, marker, format: new StoreFormat(real, marker), lock, dataPath };
    }
    const marker = await beginCreation(real, format, backend.name);
    const create = (data: Pick<DataDriver, 'create' | 'close'>): Promise<void> => createStore(real, dataPath, data);
    return { path: real, marker, format: new StoreFormat(real, marker), lock, dataPath, create };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Finds an existing store for reading. Takes no lock and changes nothing. */
export async function findStore(
  path: string,
  backend: Backend,
  format: number,
): Promise<{ path: string; marker: StoreMarker }> {
  const kind = await classifyUsable(path, backend, {});
  const real = await realpath(path);
  if (kind !== 'store') throw notFound(path, kind);
  return { path: real, marker: await readMarker(real, format, backend.name) };
}

/** A held directory of a damaged store, whose marker may be lost. */
export interface HeldRemains {
  /** Absolute path without symbolic links. */
  readonly path: string;
  readonly lock: ProcessLock;
  /** Undefined if the marker is missing or damaged, or names another backend than that of the data. */
  readonly marker: StoreMarker | undefined;
  readonly dataPath: string;
}

/**
 * Takes the lock of a directory whose store may be damaged. Writes nothing but the lock. The caller releases it.
 * @throws NotFoundError `STORE_NOT_FOUND`; StateError `STORE_LOCKED`, `NOT_A_STORE`; CorruptionError `FORMAT_VERSION`
 *   for a store of a newer format; InvalidArgumentError `INVALID_OPTION` for a store of another backend
 */
export async function holdRemains(
  path: string,
  backend: Backend,
  { format = NEWEST_FORMAT, lockTimeoutMs = 0 }: Pick<StoreDirectoryOptions, 'format' | 'lockTimeoutMs'>,
): Promise<HeldRemains> {
  const kind = await classifyDirectory(path, backend.dataDirectory);
  const hasData = existsSync(join(path, backend.dataDirectory));
  if (kind === 'foreign' && !hasData) throw foreign(path);
  if (kind !== 'foreign' && kind !== 'store') throw notFound(path, kind);
  const real = await realpath(path);
  const lock = await acquireProcessLock(real, lockTimeoutMs, backend.unlocked);
  try {
    const dataPath = join(real, backend.dataDirectory);
    const name = (await peekMarker(real))?.backend;
    // A marker that names another backend than that of the data is damaged.
    const damaged = name === undefined || (name !== backend.name && hasData);
    const marker = damaged ? undefined : await readMarker(real, format, backend.name);
    return { path: real, lock, marker, dataPath };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The real path of a directory that is or may become a store. Changes no other directory. */
async function prepareDirectory(path: string, backend: Backend, options: StoreDirectoryOptions): Promise<string> {
  if ((await classifyUsable(path, backend, options)) === 'missing') {
    await makeDirectory(path);
  }
  return realpath(path);
}

/** Creates the data. An unfinished creation never contained data, so its rest is deleted first. */
async function createStore(path: string, dataPath: string, data: Pick<DataDriver, 'create' | 'close'>): Promise<void> {
  await rm(dataPath, { recursive: true, force: true });
  await data.create();
  try {
    await finishCreation(path);
  } catch (error) {
    await data.close();
    throw error;
  }
}

async function classifyUsable(
  path: string,
  { dataDirectory }: Backend,
  { create = false }: StoreDirectoryOptions,
): Promise<DirectoryKind> {
  const kind = await classifyDirectory(path, dataDirectory);
  if (kind === 'foreign') throw foreign(path);
  if (kind !== 'store' && !create) throw notFound(path, kind);
  return kind;
}

function foreign(path: string): StateError {
  return new StateError(
    'NOT_A_STORE',
    `${path} is not empty and is not a Quadrille store: name another directory. Nothing was changed.`,
    { details: { path } },
  );
}

function notFound(path: string, kind: DirectoryKind): NotFoundError {
  const what = kind === 'missing' ? 'does not exist' : 'holds no store';
  return new NotFoundError('STORE_NOT_FOUND', `${path} ${what}.`, { details: { path } });
}
