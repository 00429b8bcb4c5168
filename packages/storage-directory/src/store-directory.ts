/**
 * What every backend on a disk does before it opens its own files: tells a store from any other directory, takes the
 * lock, reads or makes the marker. The layout is `quadrille.json` (marker), `quadrille.pid` (lock) and a directory of the
 * backend's own, so that its files and ours do not mix.
 */

import { mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NotFoundError, StateError } from '@quadrille/model';
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

/** What a backend is called, and where it keeps its data. */
export interface DirectoryBackend {
  /** As it stands in the marker. */
  readonly name: string;
  /** The name of the directory beside the marker. */
  readonly dataDirectory: string;
  /** It has no lock of its own between processes. */
  readonly unlocked: boolean;
}

export interface StoreDirectoryOptions {
  /** Make the store when the directory is missing or empty. Default false. */
  readonly create?: boolean;
  /** The format that a new store gets, and the newest that an existing one may have. Default 1. */
  readonly format?: number;
  /** How long to wait for a lock that somebody holds. Default 0. */
  readonly lockTimeoutMs?: number;
}

/** A directory that is held. */
export interface HeldDirectory<Database> {
  /** Absolute and without symbolic links. */
  readonly path: string;
  readonly marker: StoreMarker;
  readonly lock: ProcessLock;
  readonly database: Database;
}

/** How a backend opens its files, and makes them. */
export interface DataOpener<Database> {
  openData(dataPath: string): Promise<Database>;
  /** Nothing stands at `dataPath`. */
  createData(dataPath: string): Promise<Database>;
  closeData(database: Database): Promise<void>;
}

/**
 * Takes the directory of a store, or with `create` makes it, and opens the data in it. The caller releases the lock.
 * @throws NotFoundError `STORE_NOT_FOUND`; StateError `STORE_LOCKED`, `NOT_A_STORE`; CorruptionError `FORMAT_VERSION`;
 *   InvalidArgumentError `INVALID_OPTION` for a store of another backend; what the opener throws.
 */
export async function holdDirectory<Database>(
  path: string,
  backend: DirectoryBackend,
  options: StoreDirectoryOptions,
  opener: DataOpener<Database>,
): Promise<HeldDirectory<Database>> {
  const real = await prepareDirectory(path, backend, options);
  const lock = await acquireProcessLock(real, options.lockTimeoutMs ?? 0, backend.unlocked);
  try {
    // Again, since somebody else may have made, or be done with making, the store before we had the lock.
    const kind = await classifyUsable(real, backend, options);
    const { format = 1 } = options;
    const data = join(real, backend.dataDirectory);
    if (kind === 'store') {
      const marker = await readMarker(real, format, backend.name);
      return { path: real, marker, lock, database: await opener.openData(data) };
    }
    const marker = await beginCreation(real, format, backend.name);
    return { path: real, marker, lock, database: await createData(real, data, opener) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** A store that is there, to be read beside whoever holds it. Takes no lock and changes nothing. */
export async function findStore(
  path: string,
  backend: DirectoryBackend,
  format: number,
): Promise<{ path: string; marker: StoreMarker }> {
  const kind = await classifyUsable(path, backend, {});
  const real = await realpath(path);
  if (kind !== 'store') throw notFound(path, kind);
  return { path: real, marker: await readMarker(real, format, backend.name) };
}

/** The real path of a directory that is, or may become, a store. Nothing is written into any other. */
async function prepareDirectory(
  path: string,
  backend: DirectoryBackend,
  options: StoreDirectoryOptions,
): Promise<string> {
  if ((await classifyUsable(path, backend, options)) === 'missing') {
    await mkdir(path, { recursive: true });
    await syncDirectory(dirname(path));
  }
  return realpath(path);
}

/** Also completes an unfinished creation: that never held data, so what is left of it can go. */
async function createData<Database>(path: string, data: string, opener: DataOpener<Database>): Promise<Database> {
  await rm(data, { recursive: true, force: true });
  const database = await opener.createData(data);
  try {
    await finishCreation(path);
  } catch (error) {
    await opener.closeData(database);
    throw error;
  }
  return database;
}

async function classifyUsable(
  path: string,
  { dataDirectory }: DirectoryBackend,
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
