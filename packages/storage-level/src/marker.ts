/** The marker file, which makes a directory a store, and what a directory without one may be. */

import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CorruptionError } from '@quadrille/model';
import {
  LEVEL_DIRECTORY,
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
  /** UUID that the store keeps for life. */
  readonly id: string;
  /** ISO 8601. */
  readonly created: string;
}

/** `unfinished`: a creation was cut off before the store could be used; it holds nothing. */
export type DirectoryKind = 'missing' | 'empty' | 'unfinished' | 'store' | 'foreign';

export async function classifyDirectory(path: string): Promise<DirectoryKind> {
  const names = (await listDirectory(path))?.filter((name) => !isIgnorable(name));
  if (names === undefined) return 'missing';
  if (names.length === 0) return 'empty';
  if (names.includes(MARKER_FILE)) return 'store';
  const ours = names.every((name) => name === UNFINISHED_FILE || name === LEVEL_DIRECTORY);
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

/** @throws CorruptionError `FORMAT_VERSION` for a marker that is damaged or of a format newer than `newestFormat`. */
export async function readMarker(path: string, newestFormat: number): Promise<StoreMarker> {
  const text = (await readTextIfThere(join(path, MARKER_FILE))) ?? '';
  const marker = parseMarker(text);
  if (marker === undefined) {
    throw new CorruptionError('FORMAT_VERSION', `The marker ${join(path, MARKER_FILE)} is damaged.`, {
      details: { path },
    });
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
    const { format, id, created } = JSON.parse(text) as Partial<StoreMarker>;
    const valid = Number.isSafeInteger(format) && typeof id === 'string' && typeof created === 'string';
    return valid ? { format: format!, id, created } : undefined;
  } catch {
    return undefined;
  }
}

/** The first step of a creation: from here on the directory is `unfinished`. */
export async function beginCreation(path: string, format: number): Promise<StoreMarker> {
  const marker: StoreMarker = { format, id: randomUUID(), created: new Date().toISOString() };
  await writeSynced(join(path, UNFINISHED_FILE), `${JSON.stringify(marker)}\n`);
  await syncDirectory(path);
  return marker;
}

/** The last step of a creation: from here on the directory is a store. */
export function finishCreation(path: string): Promise<void> {
  return renameSynced(join(path, UNFINISHED_FILE), join(path, MARKER_FILE));
}
