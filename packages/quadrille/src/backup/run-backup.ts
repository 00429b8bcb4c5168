/** `db.backup()`. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { platformEnv } from '@quadrille/core';
import type { Store } from '@quadrille/core';
import { writeBackup } from '@quadrille/core/backup';
import type { RepositoryEntry } from '@quadrille/core/backup';
import { InvalidArgumentError } from '@quadrille/model';
import type { BackupHead, BackupOptions, BackupReport } from '../api/index.js';
import { checkOptions } from '../options/check-options.js';
import { aFunction, signal as signalRule } from '../options/rules.js';
import { directoryOf } from '../platform/backends.js';
import { DirectoryTarget } from './directory-target.js';
import { untilAborted } from './file-errors.js';
import { StreamTarget } from './stream-target.js';

const OPTIONS = { onProgress: aFunction, signal: signalRule };

/** @param location that of the store */
export async function backup(
  store: Store,
  location: string,
  target: string | URL | WritableStream<Uint8Array>,
  options: BackupOptions = {},
): Promise<BackupReport> {
  checkOptions(options, OPTIONS, 'backup');
  const { signal, onProgress } = options;
  return untilAborted(signal, 'backup', async () => {
    const place = await targetOf(target, location, signal);
    let failure: unknown;
    try {
      const env = platformEnv();
      const written = await writeBackup(store.engine, place, { env, store: store.id, signal, onProgress });
      const { manifest, full, entries, bytesWritten, bytesReused } = written;
      const heads = manifest.repositories.map(headOf);
      return { heads, created: new Date(manifest.created), full, entries, bytesWritten, bytesReused };
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      await place.close(failure);
    }
  });
}

export const headOf = ({ name, head, revision, time }: RepositoryEntry): BackupHead => ({
  name,
  number: head,
  ...(revision !== undefined && { revision }),
  ...(time !== undefined && { time: new Date(time) }),
});

async function targetOf(
  target: string | URL | WritableStream<Uint8Array>,
  location: string,
  signal: AbortSignal | undefined,
): Promise<DirectoryTarget | StreamTarget> {
  if (target instanceof WritableStream) {
    if (target.locked) throw wrong('the stream is locked: another writer has it');
    return new StreamTarget(target, signal);
  }
  const path = target instanceof URL ? directoryOf(target) : target;
  if (typeof path !== 'string' || path === '') throw wrong('a target is a directory or a WritableStream');
  await assertOutside(location, path);
  return DirectoryTarget.open(path);
}

// A backup inside the directory of the store would be lost with it, and its files would be strangers there.
async function assertOutside(location: string, target: string): Promise<void> {
  if (!existsSync(location)) return;
  const inside = relative(await realpath(location), await realOf(resolve(target)));
  if (inside.startsWith('..') || isAbsolute(inside)) return;
  throw wrong(`${target} is inside the store ${location}`);
}

/** The path without symbolic links; the part of it that does not exist stays as it is. */
async function realOf(path: string): Promise<string> {
  if (existsSync(path) || dirname(path) === path) return realpath(path);
  const parent = dirname(path);
  return join(await realOf(parent), path.slice(parent.length));
}

const wrong = (what: string): InvalidArgumentError => new InvalidArgumentError('INVALID_OPTION', `backup: ${what}`);
