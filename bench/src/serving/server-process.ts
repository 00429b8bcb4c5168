/** Runs `quadrille serve` in its own process and on its own core, and measures it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Meters } from '../workload.js';

/** The installed program. The variable BENCH_SERVER_MAIN selects unbundled code for profiling. */
const MAIN =
  process.env['BENCH_SERVER_MAIN'] ??
  fileURLToPath(new URL('../../../packages/cli/dist/bundle/main.js', import.meta.url));
const TASKSET = '/usr/bin/taskset';
export const SERVER_CORE = '0';
export const CLIENT_CORE = '1';
/** Unit of times in /proc/PID/stat: 100 per second on every Linux. */
const TICKS_PER_SECOND = 100;

/** A command that runs on one core, if the system supports that. */
export function pinned(core: string, command: string, args: readonly string[]): [string, string[]] {
  return existsSync(TASKSET) ? [TASKSET, ['-c', core, command, ...args]] : [command, [...args]];
}

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  meters(): Meters;
  /** Seconds for which its main thread was ready but had no core, because of other work on the machine. */
  waitedSeconds(): number;
  /** Processor seconds of its main thread, which answers all requests. */
  busySeconds(): number;
  /** Present memory in bytes. */
  residentBytes(): number;
  stop(): Promise<void>;
}

/** Serves a store to everybody, without rate limits. BENCH_SERVER_FLAGS are flags of Node.js for profiling. */
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

/** Seconds for which the main thread ran, and for which it waited for a core. */
const scheduledSeconds = (pid: number): number[] =>
  readFileSync(`/proc/${String(pid)}/schedstat`, 'utf8')
    .split(' ')
    .map((nanoseconds) => Number(nanoseconds) / 1e9);

function statusBytes(pid: number, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}

function cpuSecondsOf(pid: number): number {
  // The program name, in brackets, may contain blanks.
  const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
