/**
 * The lock of a store's directory: a registry in this process and a file that names the holder. The backend's own is not
 * enough: LevelDB's is silently dropped by a second open from the same process, although that is refused; LMDB has none.
 * The registry hangs on `globalThis`, so that two copies of this module share it.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { StateError } from '@quadrille/model';
import { LOCK_FILE, readTextIfThere, systemCode } from './files.js';

/** What stands in the lock file. */
interface Holder {
  readonly pid: number;
  readonly thread?: number;
  /** When the lock was taken, ISO 8601. */
  readonly started: string;
  readonly host: string;
  /** Of Linux: names one run of one kernel, whatever the container. */
  readonly boot?: string | undefined;
  /** Of Linux: when the process started, to tell it from a later one with its pid. */
  readonly startTicks?: string | undefined;
  /** Different for every lock that was ever taken. */
  readonly token: string;
}

const REGISTRY = Symbol.for('quadrille.store-directories');
const POLL_MS = 50;
/** A lock file without readable content this long after its creation was left by a crash. */
const UNREADABLE_GRACE_MS = 2000;
const UNREADABLE = 'unreadable';

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
    if (await createExclusively(file, self)) return undefined;
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

async function createExclusively(file: string, self: Holder): Promise<boolean> {
  try {
    await writeFile(file, `${JSON.stringify(self)}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    // It may have been created and not filled, say on a full disk. Whoever else saw it is still waiting for its content.
    if (systemCode(error) === 'ENOSPC') await rm(file, { force: true });
    throw error;
  }
}

async function readHolder(file: string): Promise<Holder | undefined> {
  const text = await readTextIfThere(file);
  if (text === undefined) return undefined;
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null;
    if (typeof holder?.pid === 'number' && typeof holder.token === 'string') return holder as Holder;
  } catch {
    // Falls through to the unreadable one.
  }
  const info = await stat(file).catch(() => undefined);
  if (info === undefined) return undefined;
  return { pid: 0, host: hostname(), started: info.mtime.toISOString(), token: UNREADABLE };
}

function isAlive(holder: Holder, alone: boolean): boolean {
  if (holder.token === UNREADABLE) return Date.now() - Date.parse(holder.started) < UNREADABLE_GRACE_MS;
  const boot = bootId();
  if (holder.boot !== undefined && boot !== undefined && holder.boot !== boot) {
    // The same machine, started anew; or another one, of which nothing can be known.
    return holder.host !== hostname();
  }
  if (holder.boot === undefined && holder.host !== hostname()) return true;
  // In another container of this machine the pid may mean another process: then the backend's own lock decides.
  if (alone && holder.host !== hostname()) return true;
  if (!processExists(holder.pid)) return false;
  const ticks = startTicks(holder.pid);
  return holder.startTicks === undefined || ticks === undefined || ticks === holder.startTicks;
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

function describeSelf(): Holder {
  return {
    pid: process.pid,
    thread: threadId,
    started: new Date().toISOString(),
    host: hostname(),
    boot: bootId(),
    startTicks: startTicks(process.pid),
    token: randomUUID(),
  };
}

/** Of Linux: names one run of one kernel, whatever the container. */
export function bootId(): string | undefined {
  return readProc('/proc/sys/kernel/random/boot_id')?.trim();
}

/** Field 22 of proc(5) `stat`; counted after the last parenthesis, because the name before it may hold blanks. */
function startTicks(pid: number): string | undefined {
  const text = readProc(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}

function readProc(path: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function heldHere(): Map<string, Holder> {
  const global = globalThis as { [REGISTRY]?: Map<string, Holder> };
  return (global[REGISTRY] ??= new Map());
}

function locked(directory: string, { pid, thread, started, host, token }: Holder): StateError {
  const details = { path: directory, pid, started, host };
  if (token === UNREADABLE) {
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
