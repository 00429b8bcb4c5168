/**
 * The lock of a store's directory: a registry in this process and a file that names the holder. The backend's own is not
 * enough: LevelDB's is silently dropped by a second open from the same process, although that is refused; LMDB has none.
 * The registry hangs on `globalThis`, so that two copies of this module share it.
 */

import { rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StateError } from '@quadrille/model';
import { LOCK_FILE } from './files.js';
import { createHolderFile, describeSelf, isAlive, isUnreadable, readHolder, type Holder } from './lock-holder.js';

const REGISTRY = Symbol.for('quadrille.store-directories');
const POLL_MS = 50;

/** A lock that is held. */
export interface ProcessLock {
  /** Never fails: a lock file that cannot be removed names a process that will be dead. */
  release(): Promise<void>;
}

/**
 * Takes the lock of a directory.
 * @param directory its real path
 * @param alone there is no other lock: a holder in another container, of which nothing can be known, counts as alive
 * @throws StateError `STORE_LOCKED` when it is held by this or another process and stays so for `timeoutMs`.
 */
export async function acquireProcessLock(directory: string, timeoutMs: number, alone: boolean): Promise<ProcessLock> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const attempt = await tryAcquire(directory, alone);
    if ('release' in attempt) return attempt;
    if (Date.now() >= deadline) throw locked(directory, attempt);
    await sleep(Math.min(POLL_MS, Math.max(1, deadline - Date.now())));
  }
}

async function tryAcquire(directory: string, alone: boolean): Promise<ProcessLock | Holder> {
  const registry = heldHere();
  const present = registry.get(directory);
  if (present !== undefined) return present;
  const self = describeSelf();
  registry.set(directory, self);
  const file = join(directory, LOCK_FILE);
  try {
    const rival = await claim(file, self, alone);
    if (rival !== undefined) {
      registry.delete(directory);
      return rival;
    }
  } catch (error) {
    registry.delete(directory);
    throw error;
  }
  return { release: () => release(directory, file, self) };
}

async function release(directory: string, file: string, self: Holder): Promise<void> {
  try {
    if ((await readHolder(file))?.token === self.token) await rm(file, { force: true });
  } catch {
    // The next one to open finds a dead holder.
  } finally {
    const registry = heldHere();
    if (registry.get(directory)?.token === self.token) registry.delete(directory);
  }
}

/**
 * Makes `self` the holder of the lock file, or answers who holds it. A dead holder is replaced without a race: its unique
 * token names the file that its one heir must hold, under the same rules, before it may replace the lock file.
 */
async function claim(file: string, self: Holder, alone: boolean): Promise<Holder | undefined> {
  for (;;) {
    if (await createHolderFile(file, self)) return undefined;
    const holder = await readHolder(file);
    if (holder === undefined) continue;
    if (isAlive(holder, alone)) return holder;
    const heirFile = `${file}.${holder.token}`;
    const rival = await claim(heirFile, self, alone);
    if (rival !== undefined) return rival;
    if ((await readHolder(file))?.token === holder.token) {
      await rename(heirFile, file);
      return undefined;
    }
    await rm(heirFile, { force: true });
  }
}

function heldHere(): Map<string, Holder> {
  const global = globalThis as { [REGISTRY]?: Map<string, Holder> };
  return (global[REGISTRY] ??= new Map());
}

function locked(directory: string, holder: Holder): StateError {
  const { pid, thread, started, host } = holder;
  const details = { path: directory, pid, started, host };
  if (isUnreadable(holder)) {
    return new StateError(
      'STORE_LOCKED',
      `The store ${directory} is just being opened by another process: try again.`,
      {
        details,
      },
    );
  }
  const where = host === hostname() ? '' : ` on ${host}`;
  const who =
    pid === process.pid && where === '' ? `this process (${pid}, thread ${thread ?? 0})` : `process ${pid}${where}`;
  return new StateError(
    'STORE_LOCKED',
    `The store ${directory} is held by ${who} (started ${started}): close it, or wait for it with lockTimeoutMs, or, ` +
      `if that process is certainly gone, delete ${join(directory, LOCK_FILE)}.`,
    { details },
  );
}
