/** A `quadrille serve` in a process and on a core of its own, and what it takes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Meters } from '../workload.js';

/** What users install; the variable is for profiles of the code as it was compiled. */
const MAIN =
  process.env['BENCH_SERVER_MAIN'] ??
  fileURLToPath(new URL('../../../packages/cli/dist/bundle/main.js', import.meta.url));
const TASKSET = '/usr/bin/taskset';
export const SERVER_CORE = '0';
export const CLIENT_CORE = '1';
/** Of /proc/PID/stat; 100 everywhere. */
const TICKS_PER_SECOND = 100;

/** A command that runs on one core, where the system can do that. */
export function pinned(core: string, command: string, args: readonly string[]): [string, string[]] {
  return existsSync(TASKSET) ? [TASKSET, ['-c', core, command, ...args]] : [command, [...args]];
}

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  meters(): Meters;
  /** Seconds for which its main thread could have gone on and had no core: other work on the machine. */
  waitedSeconds(): number;
  /** Processor time of its main thread alone, which answers all requests. */
  busySeconds(): number;
  /** Memory right now. */
  residentBytes(): number;
  stop(): Promise<void>;
}

/** Serves a store to everybody, without limits of rate. The flags of Node in `BENCH_SERVER_FLAGS` are for profiles of it. */
export async function startServer(store: string, flags: readonly string[] = []): Promise<ServerProcess> {
  const nodeFlags = process.env['BENCH_SERVER_FLAGS']?.split(' ') ?? [];
  const serve = [MAIN, 'serve', store, '--port', '0', '--json', '--open', '--no-rate-limit', ...flags];
  const [command, args] = pinned(SERVER_CORE, process.execPath, [...nodeFlags, ...serve]);
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', process.env['BENCH_SERVER_LOG'] ? 'inherit' : 'ignore'],
  });
  const { url, pid } = await announcement(child);
  return {
    url,
    pid,
    meters: () => ({ cpuSeconds: cpuSecondsOf(pid), peakBytes: statusBytes(pid, 'VmHWM') }),
    waitedSeconds: () => scheduledSeconds(pid)[1]!,
    busySeconds: () => scheduledSeconds(pid)[0]!,
    residentBytes: () => statusBytes(pid, 'VmRSS'),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

function announcement(child: ChildProcess): Promise<{ url: string; pid: number }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the server ended with code ${String(code)}`)));
    createInterface({ input: child.stdout! }).once('line', (line) => {
      resolve(JSON.parse(line) as { url: string; pid: number });
    });
  });
}

/** Of the main thread: how long it ran, and how long it waited for a core. */
const scheduledSeconds = (pid: number): number[] =>
  readFileSync(`/proc/${String(pid)}/schedstat`, 'utf8')
    .split(' ')
    .map((nanoseconds) => Number(nanoseconds) / 1e9);

function statusBytes(pid: number, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}

function cpuSecondsOf(pid: number): number {
  // The name of the program, in brackets, may have blanks.
  const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
