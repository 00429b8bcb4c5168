/** The few file operations that need care, and the names of our files in the directory of a store. */

import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Our files in the directory of a store. */
export const MARKER_FILE = 'quadrille.json';
/** There from the beginning of a creation until the marker is. */
export const UNFINISHED_FILE = 'quadrille.json.new';
export const LOCK_FILE = 'quadrille.pid';

/** The code of a Node.js system error. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The text of a file; undefined when there is none. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file and brings it to the disk. `flag` as in open(2) of Node.js: `w` or `wx`. */
export async function writeSynced(path: string, content: string | Uint8Array, flag: 'w' | 'wx' = 'w'): Promise<void> {
  const file = await open(path, flag);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Brings the entries of a directory to the disk. Windows cannot and need not. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

export async function renameSynced(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncDirectory(dirname(to));
}

/** Proves that the file system takes `bytes` more bytes; leaves nothing behind. */
export async function proveWritable(path: string, bytes: number): Promise<void> {
  try {
    // Not zeros: some file systems would not allocate blocks for them.
    await writeSynced(path, new Uint8Array(bytes).fill(0x5a));
  } finally {
    await rm(path, { force: true });
  }
}
