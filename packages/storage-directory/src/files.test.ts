import { mkdtempSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeDirectory } from './files.js';

// The path of an open directory is known on Linux alone.
it.skipIf(process.platform !== 'linux')(
  'all directories that were made are on the disk, up to the first that was there',
  async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'quadrille-made-')));
    onTestFinished(() => rmSync(base, { recursive: true }));
    const any = await open(base, 'r');
    const handles = Object.getPrototypeOf(any) as FileHandle;
    await any.close();
    const synced: string[] = [];
    const spy = vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
      synced.push(readlinkSync(`/proc/self/fd/${this.fd}`));
    });
    onTestFinished(() => spy.mockRestore());
    const syncedBy = async (path: string): Promise<string[]> => {
      await makeDirectory(path);
      return synced.splice(0);
    };
    expect(await syncedBy(join(base, 'a/b/c'))).toEqual([join(base, 'a/b'), join(base, 'a'), base]);
    expect(await syncedBy(`${base}/a/x/../b/d/`)).toEqual([join(base, 'a/b')]);
    expect(await syncedBy(join(base, 'a/b/d'))).toEqual([]);
  },
);
