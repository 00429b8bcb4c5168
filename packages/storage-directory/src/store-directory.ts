/**
 * What every backend on a disk does before it opens its own files: tells a store from any other directory, takes the
 * lock, reads or makes the marker. The layout is `quadrille.json` (marker), `quadrille.pid` (lock) and a directory of the
 * backend's own, so that its files and ours do not mix.
 */

import { mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NotFoundError, StateError } from '@quadrille/model';
import type { DataDriver, DirectoryBackend } from './backend.js';
import { syncDirectory } from './files.js';
import {
  beginCreation,
  classifyDirectory,
  finishCreation,
  readMarker,
  type DirectoryKind,
  type StoreMarker,
} from './marker.js';
import { acquireProcessLock, type ProcessLock } from './process-lock.js';
import { StoreFormat } from './store-format.js';

export interface StoreDirectoryOptions {
  /** Make the store when the directory is missing or empty. Default false. */
  readonly create?: boolean;
  /** The format that a new store gets, and the newest that an existing one may have. Default 1. */
  readonly format?: number;
  /** How long to wait for a lock that somebody holds. Default 0. */
  readonly lockTimeoutMs?: number;
}

/** A directory that is held. */
export interface HeldDirectory {
  /** Absolute and without symbolic links. */
  readonly path: string;
  readonly marker: StoreMarker;
  readonly format: StoreFormat;
  readonly lock: ProcessLock;
  /** Where the backend keeps its data. */
  readonly dataPath: string;
  /** There while the directory is not a store yet: makes the data, which are open then, and a store of the directory. */
  readonly create?: (data: Pick<DataDriver, 'create' | 'close'>) => Promise<void>;
}

/** What has to be known of a backend to hold a directory for it. */
type Backend = Pick<DirectoryBackend, 'name' | 'dataDirectory' | 'unlocked'>;

/**
 * Takes the directory of a store, or with `create` begins to make it. The caller releases the lock.
 * @throws NotFoundError `STORE_NOT_FOUND`; StateError `STORE_LOCKED`, `NOT_A_STORE`; CorruptionError `FORMAT_VERSION`;
 *   InvalidArgumentError `INVALID_OPTION` for a store of another backend
 */
export async function holdDirectory(
  path: string,
  backend: Backend,
  options: StoreDirectoryOptions,
): Promise<HeldDirectory> {
  const real = await prepareDirectory(path, backend, options);
  const lock = await acquireProcessLock(real, options.lockTimeoutMs ?? 0, backend.unlocked);
  try {
    // Again, since somebody else may have made, or be done with making, the store before we had the lock.
    const kind = await classifyUsable(real, backend, options);
    const { format = 1 } = options;
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

/** A store that is there, to be read beside whoever holds it. Takes no lock and changes nothing. */
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

/** The real path of a directory that is, or may become, a store. Nothing is written into any other. */
async function prepareDirectory(path: string, backend: Backend, options: StoreDirectoryOptions): Promise<string> {
  if ((await classifyUsable(path, backend, options)) === 'missing') {
    await mkdir(path, { recursive: true });
    await syncDirectory(dirname(path));
  }
  return realpath(path);
}

/** Also completes an unfinished creation: that never held data, so what is left of it can go. */
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
  if (kind === 'foreign') {
    throw new StateError('NOT_A_STORE', `${path} is not a Quadrille store and not empty; it is left alone.`, {
      details: { path },
    });
  }
  if (kind !== 'store' && !create) throw notFound(path, kind);
  return kind;
}

function notFound(path: string, kind: DirectoryKind): NotFoundError {
  const what = kind === 'missing' ? 'does not exist' : 'holds no store';
  return new NotFoundError('STORE_NOT_FOUND', `${path} ${what}.`, { details: { path } });
}
