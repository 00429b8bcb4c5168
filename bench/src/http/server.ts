/** Starts the measured servers, each in its own process and, if the system supports it, on its own core. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import type { Meters } from '../workload.js';

const SERVER_CORE = '0';
const CLIENT_CORE = '1';

export interface MeasuredServer {
  readonly port: number;
  /** CPU time and memory of its process so far. */
  meters(): Meters;
  stop(): Promise<void>;
}

/** Starts a script that prints one line of JSON with its `url`. */
export async function startServer(script: string, args: readonly string[]): Promise<MeasuredServer> {
  const bound = canBind();
  if (bound) execFileSync('taskset', ['-acp', CLIENT_CORE, String(process.pid)], { stdio: 'ignore' });
  const command = [process.execPath, script, ...args];
  const [file, ...rest] = bound ? ['taskset', '-c', SERVER_CORE, ...command] : command;
  const child = spawn(file!, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([
    once(lines, 'line'),
    ended.then(([code]) => {
      throw new Error(`${script} ended with ${String(code)} before it served`);
    }),
  ])) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return {
    port: Number(new URL(url).port),
    meters: () => metersOf(child.pid!),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function canBind(): boolean {
  if (availableParallelism() < 2) return false;
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const TICKS_PER_SECOND = 100;

function metersOf(pid: number): Meters {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    peakBytes: Number(peak?.[1] ?? 0) * 1024,
  };
}
