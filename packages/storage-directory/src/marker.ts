/** The marker file, which makes a directory a store, and what a directory without one may be. */

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

export interface StoreMarker {
  /** Version of everything that is stored, from 1. */
  readonly format: number;
  /** What keeps the data: `leveldb`, `lmdb`, … The data stand in a directory of this name's choice beside the marker. */
  readonly backend: string;
  /** UUID that the store keeps for life. */
  readonly id: string;
  /** ISO 8601. */
  readonly created: string;
}

/** Stores that were made before there was a choice say nothing. */
const FIRST_BACKEND = 'leveldb';

/** `unfinished`: a creation was cut off before the store could be used; it holds nothing. */
export type DirectoryKind = 'missing' | 'empty' | 'unfinished' | 'store' | 'foreign';

/** `dataDirectory`: where the backend that would complete an unfinished creation keeps its data. */
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

/** Lock files, whose holder may have died before it made a store; what a fresh file system has at its root. */
function isIgnorable(name: string): boolean {
  return name.startsWith(LOCK_FILE) || name === 'lost+found';
}

/** What a store says of itself; undefined where there is none that can be read. */
export async function peekMarker(path: string): Promise<StoreMarker | undefined> {
  try {
    const text = await readTextIfThere(join(path, MARKER_FILE));
    return text === undefined ? undefined : parseMarker(text);
  } catch {
    // Not a directory, or not to be read: opening it says so.
    return undefined;
  }
}

/**
 * @throws CorruptionError `FORMAT_VERSION` for a marker that is damaged or of a format newer than `newestFormat`;
 *   InvalidArgumentError `INVALID_OPTION` for a store of another backend.
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
      `The store ${path} is kept by the backend ${marker.backend}, not by ${backend}: open it without naming one.`,
      { details: { path, backend: marker.backend } },
    );
  }
  if (marker.format > newestFormat) {
    throw new CorruptionError(
      'FORMAT_VERSION',
      `The store ${path} has format ${marker.format}; this version of Quadrille reads up to format ${newestFormat}: ` +
        'use a newer one.',
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

/** Makes a store one that programs which read only older formats refuse. Does nothing where it is one already. */
export async function raiseFormat(path: string, marker: StoreMarker, format: number): Promise<void> {
  if (marker.format >= format) return;
  const file = join(path, UNFINISHED_FILE);
  await writeSynced(file, `${JSON.stringify({ ...marker, format })}\n`);
  await renameSynced(file, join(path, MARKER_FILE));
}

/** The first step of a creation: from here on the directory is `unfinished`. */
export async function beginCreation(path: string, format: number, backend: string): Promise<StoreMarker> {
  const marker: StoreMarker = { format, backend, id: randomUUID(), created: new Date().toISOString() };
  await writeSynced(join(path, UNFINISHED_FILE), `${JSON.stringify(marker)}\n`);
  await syncDirectory(path);
  return marker;
}

/** The last step of a creation: from here on the directory is a store. */
export function finishCreation(path: string): Promise<void> {
  return renameSynced(join(path, UNFINISHED_FILE), join(path, MARKER_FILE));
}
