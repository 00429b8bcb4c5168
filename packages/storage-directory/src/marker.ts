/** The marker file, which makes a directory a store, and the classification of directories without one. */

import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CorruptionError, InvalidArgumentError } from '@quadrille/model';
import {
  LOCK_FILE,
  MARKER_FILE,
  readTextIfThere,
  renameSynced,
  syncDirectory,
  UNFINISHED_FILE,
  writeSynced,
} from './files.js';

/** The content of the marker file of a store. */
export interface StoreMarker {
  /** Version of the form of all stored data, from 1. */
  readonly format: number;
  /** Name of the backend: `leveldb`, `lmdb`, … The data are in the backend's directory next to the marker. */
  readonly backend: string;
  /** UUID of the store, which never changes. */
  readonly id: string;
  /** Time of creation, ISO 8601. */
  readonly created: string;
}

/** The backend of stores whose marker names none, because there was only one. */
const FIRST_BACKEND = 'leveldb';

/** `unfinished`: creating a store was interrupted. The directory contains no data. */
export type DirectoryKind = 'missing' | 'empty' | 'unfinished' | 'store' | 'foreign';

/** `dataDirectory`: the directory of the backend that would complete an unfinished creation. */
export async function classifyDirectory(path: string, dataDirectory: string): Promise<DirectoryKind> {
  const names = (await listDirectory(path))?.filter((name) => !isIgnorable(name));
  if (names === undefined) return 'missing';
  if (names.length === 0) return 'empty';
  if (names.includes(MARKER_FILE)) return 'store';
  const ours = names.every((name) => name === UNFINISHED_FILE || name === dataDirectory);
  return ours && names.includes(UNFINISHED_FILE) ? 'unfinished' : 'foreign';
}

async function listDirectory(path: string): Promise<string[] | undefined> {
  try {
    return await readdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ENOTDIR') return ['a file'];
    throw error;
  }
}

/**
 * Whether a name is a lock file, whose holder may have died before it created a store, or part of a new file system.
 */
function isIgnorable(name: string): boolean {
  return name.startsWith(LOCK_FILE) || name === 'lost+found';
}

/** The marker of a store; undefined if there is none that can be read. */
export async function peekMarker(path: string): Promise<StoreMarker | undefined> {
  try {
    const text = await readTextIfThere(join(path, MARKER_FILE));
    return text === undefined ? undefined : parseMarker(text);
  } catch {
    // Opening the store reports the error.
    return undefined;
  }
}

/**
 * @throws CorruptionError `FORMAT_VERSION` if the marker is damaged or its format is newer than `newestFormat`;
 * InvalidArgumentError `INVALID_OPTION` if the store has another backend
 */
export async function readMarker(path: string, newestFormat: number, backend: string): Promise<StoreMarker> {
  const marker = parseMarker((await readTextIfThere(join(path, MARKER_FILE))) ?? '');
  if (marker === undefined) {
    throw new CorruptionError('FORMAT_VERSION', `The marker ${join(path, MARKER_FILE)} is damaged.`, {
      details: { path },
    });
  }
  if (marker.backend !== backend) {
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      `The store ${path} has the backend ${marker.backend}, not ${backend}: open it without naming a backend.`,
      { details: { path, backend: marker.backend } },
    );
  }
  if (marker.format > newestFormat) {
    throw new CorruptionError(
      'FORMAT_VERSION',
      `The store ${path} has format ${marker.format}; this version of Quadrille reads up to format ${newestFormat}: ` +
        'use a newer version.',
      { details: { path, format: marker.format, newestFormat } },
    );
  }
  return marker;
}

function parseMarker(text: string): StoreMarker | undefined {
  try {
    const { format, id, created, backend = FIRST_BACKEND } = JSON.parse(text) as Partial<StoreMarker>;
    const texts = [id, created, backend].every((value) => typeof value === 'string');
    return Number.isSafeInteger(format) && texts ? { format: format!, backend, id: id!, created: created! } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Raises the format of a store, so that programs which only read older formats refuse it. Does nothing if it has the
 * format.
 */
export async function raiseFormat(path: string, marker: StoreMarker, format: number): Promise<void> {
  if (marker.format >= format) return;
  const file = join(path, UNFINISHED_FILE);
  await writeSynced(file, `${JSON.stringify({ ...marker, format })}\n`);
  await renameSynced(file, join(path, MARKER_FILE));
}

/** The first step of creating a store. From here on the directory is `unfinished`. */
export async function beginCreation(path: string, format: number, backend: string): Promise<StoreMarker> {
  const marker: StoreMarker = { format, backend, id: randomUUID(), created: new Date().toISOString() };
  await writeSynced(join(path, UNFINISHED_FILE), `${JSON.stringify(marker)}\n`);
  await syncDirectory(path);
  return marker;
}

/** The last step of creating a store. From here on the directory is a store. */
export function finishCreation(path: string): Promise<void> {
  return renameSynced(join(path, UNFINISHED_FILE), join(path, MARKER_FILE));
}
