/** A folder that takes the files of a published store. */
import { open, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StateError } from '@quadrille/model';
import { isDataFile, MANIFEST } from '@quadrille/storage-published';
import type { PublicationTarget } from '@quadrille/storage-published/write';
import {
  LOCK_FILE,
  makeDirectory,
  readTextIfThere,
  renameSynced,
  systemCode,
  writeSynced,
  type ProcessLock,
} from '@quadrille/storage-directory';
import { filing } from '../backup/file-errors.js';
import { lockDirectory } from '../backup/lock.js';

/** What a folder may have beside the data: the page, and what hosts of folders ask for. */
const SITE = new Set(['index.html', 'page', 'sw.js', 'void.ttl', '.git', '.nojekyll', 'CNAME', LOCK_FILE, MANIFEST]);
/** A file on its way. A process that was killed leaves one. */
const PART = '.quadrille-part';
const ACTION = 'write the publication';

export class FolderTarget implements PublicationTarget {
  private constructor(
    readonly place: string,
    private readonly lock: ProcessLock,
  ) {}

  /**
   * Takes the lock of a folder, which it makes if necessary.
   * @throws StateError `NOT_EMPTY` if it has files that no publication has; `STORE_LOCKED` if another one is being written there
   */
  static open(out: string): Promise<FolderTarget> {
    const path = resolve(out);
    return filing(`open the folder ${path}`, async () => {
      await makeDirectory(path);
      await refuseOthers(path);
      const lock = await lockDirectory(
        path,
        `Another publication is being written to ${path}: wait until it has ended.`,
      );
      await rm(join(path, PART), { force: true });
      return new FolderTarget(path, lock);
    });
  }

  async dataFiles(): Promise<readonly string[]> {
    return (await readdir(this.place)).filter(isDataFile).sort();
  }

  manifest(): Promise<string | undefined> {
    return readTextIfThere(join(this.place, MANIFEST));
  }

  read(name: string, at: number, bytes: number): Promise<Uint8Array> {
    return filing('read the publication', async () => {
      const file = await open(join(this.place, name));
      try {
        const content = new Uint8Array(bytes);
        const { bytesRead } = await file.read(content, 0, bytes, at);
        return content.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    });
  }

  write(name: string, content: Uint8Array | string): Promise<void> {
    return filing(ACTION, async () => {
      const part = join(this.place, PART);
      await writeSynced(part, content);
      await renameSynced(part, join(this.place, name));
    });
  }

  remove(name: string): Promise<void> {
    return filing(ACTION, () => rm(join(this.place, name), { force: true }));
  }

  close(): Promise<void> {
    return this.lock.release();
  }
}

async function refuseOthers(path: string): Promise<void> {
  const names = await readdir(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOTDIR') throw notEmpty(path, 'it is a file');
    throw error;
  });
  const other = names.find((name) => !SITE.has(name) && name !== PART && !isDataFile(name));
  if (other !== undefined) throw notEmpty(path, `it has ${other}`);
}

/** The folder has what no publication has written. */
export const notEmpty = (path: string, what: string): StateError =>
  new StateError(
    'NOT_EMPTY',
    `publish: ${path} is not a folder for a publication, because ${what}: give an empty folder`,
    {
      details: { path },
    },
  );
