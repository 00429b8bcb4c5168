/** File operations that need care, and the names of Quadrille's files in the directory of a store. */

import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Names of Quadrille's files in the directory of a store. */
export const MARKER_FILE = 'quadrille.json';
/** Exists from the beginning of a store's creation until its marker exists. */
export const UNFINISHED_FILE = 'quadrille.json.new';
/** Name of the file with the id of the process that has the store. */
export const LOCK_FILE = 'quadrille.pid';

/** The code of a Node.js system error. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The text of a file; undefined if there is none. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file and syncs it. `flag` as in `open` of Node.js: `w` or `wx`. */
export async function writeSynced(path: string, content: string | Uint8Array, flag: 'w' | 'wx' = 'w'): Promise<void> {
  const file = await open(path, flag);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs the entries of a directory. Windows has no such call and needs none. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Makes a directory, and those above it that are missing. All of them are on the disk when this resolves. */
export async function makeDirectory(path: string): Promise<void> {
  const whole = resolve(path);
  const first = await mkdir(whole, { recursive: true });
  if (first === undefined) return;
  // The name of each directory is in the one above it.
  for (let made = whole; ; made = dirname(made)) {
    await syncDirectory(dirname(made));
    if (made === resolve(first) || made === dirname(made)) return;
  }
}

/** Renames a file or a directory; it is on the disk when this resolves. */
export async function renameSynced(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncDirectory(dirname(to));
}

/** Proves that the file system accepts `bytes` more bytes. Leaves nothing behind. */
export async function proveWritable(path: string, bytes: number): Promise<void> {
  try {
    // Not zeros, because some file systems allocate no blocks for them.
    await writeSynced(path, new Uint8Array(bytes).fill(0x5a));
  } finally {
    await rm(path, { force: true });
  }
}
