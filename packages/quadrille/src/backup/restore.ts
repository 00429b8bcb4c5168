/** `restore()`: makes a store of a backup. It is built beside its place and renamed when it is complete. */
import { lstat, realpath, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { platformEnv } from '@quadrille/core';
import { beginUnfinished, checkPoint, clearUnfinished, cutRepositories, RecordWriter } from '@quadrille/core/backup';
import type { Manifest } from '@quadrille/core/backup';
import { ConflictError, InvalidArgumentError } from '@quadrille/model';
import { StorageEngine } from '@quadrille/storage';
import { syncDirectory } from '@quadrille/storage-directory';
import type { BackupSource, RestoreOptions, RestoreReport } from '../api/index.js';
import { checkOptions } from '../options/check-options.js';
import { aBackend, aFunction, checkedLater, signal as signalRule } from '../options/rules.js';
import { assertPath, directoryOf, makeDirectory } from '../platform/backends.js';
import { isSharedStore, openSharedStore, withoutPassword } from '../platform/shared-stores.js';
import { filing, untilAborted } from './file-errors.js';
import { lockDirectory } from './lock.js';
import { readBackup } from './read-backup.js';
import { headOf } from './run-backup.js';

const OPTIONS = { onProgress: aFunction, signal: signalRule, to: checkedLater, backend: aBackend };

export async function restore(
  source: BackupSource,
  location: string | URL,
  options: RestoreOptions = {},
): Promise<RestoreReport> {
  checkOptions(options, OPTIONS, 'restore');
  const { signal, backend = 'leveldb' } = options;
  if (isSharedStore(location)) return restoreToShared(source, location, options);
  const place = resolve(pathOf(location));
  return untilAborted(signal, 'restore', async () => {
    await assertFree(place);
    const unfinished = `${place}.restoring`;
    await removeUnfinished(unfinished);
    try {
      const engine = await StorageEngine.open(await makeDirectory(unfinished, backend));
      let built: { manifest: Manifest; omitted: readonly string[] };
      try {
        built = await restoreInto(engine, source, options);
      } finally {
        await engine.close();
      }
      signal?.throwIfAborted();
      await assertFree(place);
      await filing('put the restored store in its place', async () => {
        await rename(unfinished, place);
        await syncDirectory(dirname(place));
      });
      return { location: place, heads: built.manifest.repositories.map(headOf), omitted: built.omitted };
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
      throw error;
    }
  });
}

/** The store is marked until it is complete, since it cannot be written aside and renamed. */
async function restoreToShared(source: BackupSource, url: string, options: RestoreOptions): Promise<RestoreReport> {
  for (const option of ['backend', 'to'] as const)
    if (options[option] !== undefined)
      throw new InvalidArgumentError('INVALID_OPTION', `restore: ${option} is for stores in a directory`, {
        details: { option },
      });
  const location = withoutPassword(url);
  return untilAborted(options.signal, 'restore', async () => {
    const engine = await StorageEngine.open(await openSharedStore(url, { create: true }));
    try {
      await beginUnfinished(engine, location);
      try {
        const { manifest, omitted } = await restoreInto(engine, source, options);
        return { location, heads: manifest.repositories.map(headOf), omitted };
      } catch (error) {
        // What stays is marked, and the next restore removes it.
        await clearUnfinished(engine).catch(() => undefined);
        throw error;
      }
    } finally {
      await engine.close();
    }
  });
}

/** Writes a backup into an empty storage and sets its repositories back. */
export async function restoreInto(
  engine: StorageEngine,
  source: BackupSource,
  options: RestoreOptions,
): Promise<{ manifest: Manifest; omitted: readonly string[] }> {
  const { to } = options;
  const env = platformEnv();
  const writer = new RecordWriter(engine, env);
  const begin = ({ repositories }: Manifest): void => {
    if (to !== undefined)
      checkPoint(
        to,
        repositories.map(({ name }) => name),
      );
  };
  const manifest = await readBackup(
    source,
    {
      begin,
      records: async (records) => {
        for (const record of records) if (writer.add(record)) await writer.flush();
      },
    },
    options,
  );
  await writer.finish();
  const omitted = to === undefined ? [] : await cutRepositories(engine, to, env);
  return { manifest, omitted };
}

function pathOf(location: unknown): string {
  if (location instanceof URL) return directoryOf(location);
  assertPath('restore: a store outside databases (postgres://…) and buckets (s3://…)', location);
  const isPath = typeof location === 'string' && location !== '' && location !== ':memory:';
  if (isPath) return location;
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `restore: a store is restored to a directory, a database or a bucket, not ${withoutPassword(String(location))}`,
  );
}

async function assertFree(path: string): Promise<void> {
  if ((await lstat(path).catch(() => undefined)) === undefined) return;
  throw new ConflictError('ALREADY_EXISTS', `${path} exists already: move it away, or restore to another directory`, {
    details: { path },
  });
}

/** Removes what a restore left whose process died. @throws StateError `STORE_LOCKED` if one is under way */
async function removeUnfinished(path: string): Promise<void> {
  if ((await lstat(path).catch(() => undefined)) === undefined) return;
  await filing('remove an unfinished restore', async () => {
    const lock = await lockDirectory(
      await realpath(path),
      `Another restore is writing ${path}: wait until it has ended.`,
    );
    try {
      await rm(path, { recursive: true, force: true });
    } finally {
      await lock.release();
    }
  });
}
