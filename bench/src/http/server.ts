/** Starts the measured servers, each in its own process and, if the system supports it, on its own core. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
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
  const { child, ended } = start(process.execPath, [script, ...args], 'pipe');
  const lines = createInterface({ input: child.stdout! });
  const [line] = (await Promise.race([once(lines, 'line'), failsWhen(ended, script)])) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return measured(Number(new URL(url).port), child, ended);
}

/** Starts a program that serves on a port, and waits until it does. */
export async function startProgram(program: string, args: readonly string[], port: number): Promise<MeasuredServer> {
  const { child, ended } = start(program, args, 'ignore');
  await Promise.race([accepts(port), failsWhen(ended, program)]);
  return measured(port, child, ended);
}

function start(program: string, args: readonly string[], stdout: 'pipe' | 'ignore'): Started {
  const bound = canBind();
  if (bound) execFileSync('taskset', ['-acp', CLIENT_CORE, String(process.pid)], { stdio: 'ignore' });
  const [file, rest] = bound ? ['taskset', ['-c', SERVER_CORE, program, ...args]] : [program, args];
  const child = spawn(file, rest, { stdio: ['ignore', stdout, stdout === 'pipe' ? 'inherit' : 'ignore'] });
  return { child, ended: once(child, 'exit') };
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown[]>;
}

async function failsWhen(ended: Promise<unknown[]>, what: string): Promise<never> {
  const [code] = await ended;
  throw new Error(`${what} ended with ${String(code)} before it served`);
}

/** The number of attempts to connect, and the pause between them. */
const ATTEMPTS = 600;
const PAUSE_MS = 100;

async function accepts(port: number): Promise<void> {
  for (let left = ATTEMPTS; left > 0; left--) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await setTimeout(PAUSE_MS);
  }
  throw new Error(`nothing serves on port ${String(port)}`);
}

/** A port that nothing uses now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const measured = (port: number, child: ChildProcess, ended: Promise<unknown[]>): MeasuredServer => ({
  port,
  meters: () => metersOf(child.pid!),
  stop: async () => {
    child.kill('SIGTERM');
    await ended;
  },
});

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
