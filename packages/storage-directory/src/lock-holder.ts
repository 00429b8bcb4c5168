/**
 * The holder of a lock: its form in the lock file, and the check whether its process is still alive. On a full disk, the target
 * of a symbolic link names the holder instead of a file, because a link needs no room. Its texts are shortened.
 */

import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { lstat, open, readlink, rm, symlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { threadId } from 'node:worker_threads';
import { isFull } from '@quadrille/storage';
import { readTextIfThere, systemCode } from './files.js';

export interface Holder {
  readonly pid: number;
  readonly thread?: number;
  /** Time at which the lock was taken, ISO 8601. */
  readonly started: string;
  readonly host: string;
  /** Linux only: identifies one boot of the kernel, also inside containers. */
  readonly boot?: string | undefined;
  /** Linux only: start time of the process. It distinguishes the process from a later one with the same pid. */
  readonly startTicks?: string | undefined;
  /** Unique for every lock. */
  readonly token: string;
}

/** Age from which a lock file without readable content counts as left by a crash, in milliseconds. */
const UNREADABLE_GRACE_MS = 2000;
const UNREADABLE = 'unreadable';
/** The form of a link's target. File systems store up to 59 bytes in the link itself. */
const LINK = /^q:(?<pid>\d+):(?<thread>\d+):(?<ticks>\d*):(?<boot>\w*):(?<host>\w+):(?<token>\w+)$/;

export const isUnreadable = ({ token }: Holder): boolean => token === UNREADABLE;

/** This process and thread, with a new token. */
export function describeSelf(): Holder {
  return {
    pid: process.pid,
    thread: threadId,
    started: new Date().toISOString(),
    host: hostname(),
    boot: bootId(),
    startTicks: startTicks(process.pid),
    token: randomUUID().replaceAll('-', '').slice(0, 12),
  };
}

/** Creates a file that names the holder. Returns false if the file exists. */
export async function createHolderFile(path: string, self: Holder): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    try {
      await file.writeFile(`${JSON.stringify(self)}\n`);
    } catch (error) {
      // Other processes that saw the empty file are waiting for its content.
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!isFull(error)) throw error;
    return createLink(path, self, error);
  }
}

async function createLink(path: string, self: Holder, full: unknown): Promise<boolean> {
  const { pid, thread = 0, startTicks: ticks = '', boot, host, token } = self;
  const target = ['q', pid, thread, ticks, boot === undefined ? '' : short(boot), short(host), token].join(':');
  try {
    await symlink(target, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    // Some file systems have no symbolic links.
    throw full;
  }
}

/** The holder in a lock file; undefined if there is none. */
export async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await readTextIfThere(path);
  if (text === undefined) return readLink(path);
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null;
    if (typeof holder?.pid === 'number' && typeof holder.token === 'string') return holder as Holder;
  } catch {
    // Not JSON: treated as unreadable below.
  }
  return unreadable(path);
}

async function readLink(path: string): Promise<Holder | undefined> {
  let target: string;
  try {
    target = await readlink(path);
  } catch (error) {
    // The link was removed or replaced by a file meanwhile.
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'EINVAL') return undefined;
    throw error;
  }
  const { pid, thread, ticks, boot, host, token } = LINK.exec(target)?.groups ?? {};
  const link = await lstat(path).catch(() => undefined);
  if (link === undefined) return undefined;
  if (token === undefined) return unreadable(path);
  const ownBoot = bootId();
  return {
    pid: Number(pid),
    thread: Number(thread),
    started: link.mtime.toISOString(),
    host: host === short(hostname()) ? hostname() : `another machine (${host})`,
    boot: boot === '' ? undefined : ownBoot !== undefined && boot === short(ownBoot) ? ownBoot : boot,
    startTicks: ticks === '' ? undefined : ticks,
    token,
  };
}

async function unreadable(path: string): Promise<Holder | undefined> {
  const info = await lstat(path).catch(() => undefined);
  if (info === undefined) return undefined;
  return { pid: 0, host: hostname(), started: info.mtime.toISOString(), token: UNREADABLE };
}

/**
 * Whether the holder is alive, as far as this process can tell.
 * @param alone whether there is no other lock. Then a holder in another container, whose state is unknown, counts as
 * alive.
 */
export function isAlive(holder: Holder, alone: boolean): boolean {
  if (isUnreadable(holder)) return Date.now() - Date.parse(holder.started) < UNREADABLE_GRACE_MS;
  const boot = bootId();
  if (holder.boot !== undefined && boot !== undefined && holder.boot !== boot) {
    // This machine after a restart: the holder is dead. Another machine: unknown, so it counts as alive.
    return holder.host !== hostname();
  }
  if (holder.boot === undefined && holder.host !== hostname()) return true;
  // In another container of this machine the pid may mean another process. The backend's own lock decides then.
  if (alone && holder.host !== hostname()) return true;
  if (!processExists(holder.pid) || hasEnded(holder.pid)) return false;
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

const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** Linux only: identifies one boot of the kernel, also inside containers. */
export function bootId(): string | undefined {
  return readProc('/proc/sys/kernel/random/boot_id')?.trim();
}

/** Field 22 of `stat` in proc(5). */
const startTicks = (pid: number): string | undefined => statOf(pid)?.[19];

/** Whether a process that was killed waits for its parent to notice. It has no files open any more. */
const hasEnded = (pid: number): boolean => /^[ZX]$/.test(statOf(pid)?.[0] ?? '');

/** The fields from the third one on, which is the state: behind the last parenthesis, because the process name may contain blanks. */
function statOf(pid: number): string[] | undefined {
  const text = readProc(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function readProc(path: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
