/** Writes files to a directory that has to be empty, or may be written over. */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InvalidArgumentError, StorageError } from '@quadrille/model';

export interface FolderFile {
  /** Relative, with slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * Each file appears when it is complete. `index.html` is the last, so that no page names a file that is not there yet.
 * @throws InvalidArgumentError `INVALID_OPTION` where the directory has files and `force` is not set, or is none; StorageError `STORAGE_FULL`,
 * `STORAGE_IO`
 */
export async function writeFolder(
  folder: string,
  files: readonly FolderFile[],
  { force }: { readonly force: boolean },
): Promise<void> {
  const found = await contentOf(folder);
  if (found.length > 0 && !force) {
    throw new InvalidArgumentError('INVALID_OPTION', `${folder} is not empty; use --force to write anyway`);
  }
  const isLast = ({ path }: FolderFile): boolean => path === 'index.html';
  for (const { path, bytes } of [...files.filter((file) => !isLast(file)), ...files.filter(isLast)]) {
    const target = join(folder, path);
    const partial = `${target}.${String(process.pid)}.partial`;
    try {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(partial, bytes);
      await rename(partial, target);
    } catch (error) {
      await rm(partial, { force: true }).catch(() => undefined);
      throw folderFailure(target, error);
    }
  }
}

async function contentOf(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw new InvalidArgumentError('INVALID_OPTION', `${folder} is a file, not a directory`);
    throw folderFailure(folder, error);
  }
}

export function folderFailure(path: string, cause: unknown): StorageError {
  const { code, message } = cause as Error & { code?: unknown };
  const kind = code === 'ENOSPC' || code === 'EDQUOT' ? 'STORAGE_FULL' : 'STORAGE_IO';
  return new StorageError(kind, `cannot write ${path}: ${message}`, { cause });
}
