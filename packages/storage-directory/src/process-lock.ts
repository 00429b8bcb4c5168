/**
 * The lock of a store's directory: a registry in this process, and a file that names the holder. The backends' own
 * locks are not enough. LevelDB refuses a second open from the same process but silently drops its lock; LMDB has no
 * lock. The registry is on `globalThis`, so that two copies of this module share it.
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

/** A held lock. */
export interface ProcessLock {
  /** Never fails. If the lock file cannot be removed, it names a process that will be dead. */
  release(): Promise<void>;
}

/**
 * Takes the lock of a directory.
 * @param directory the real path of the directory
 * @param timeoutMs how long to wait for another holder, in milliseconds
 * @param alone whether there is no other lock. Then a holder in another container, whose state is unknown, counts as
 * alive.
 * @throws StateError `STORE_LOCKED` if this or another process still holds the lock after `timeoutMs`
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
    // The next process that opens the store will find a dead holder.
  } finally {
    const registry = heldHere();
    if (registry.get(directory)?.token === self.token) registry.delete(directory);
  }
}

/**
 * Makes `self` the holder in the lock file, or returns the present holder. A dead holder is replaced without a race.
 * Its unique token names a second lock file. Only its holder may replace the first one.
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
    return new StateError('STORE_LOCKED', `The store ${directory} is being opened by another process: try again.`, {
      details,
    });
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
