/** Clocks and meters of one process. */
import { readFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** CPU seconds of all threads of this process since it began. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The most memory that this process ever held: VmHWM of Linux, elsewhere what getrusage says. */
export function peakBytes(): number {
  try {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    if (line !== null) return Number(line[1]) * 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}

const SAMPLE_MS = 100;

/**
 * The most memory of its own that this process holds while a work is done, looked at ten times a second: without pages of
 * files that are mapped, which the system takes back when it needs them. Zero where there is no /proc.
 */
export async function ownPeakBytes(work: () => Promise<void>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, ownBytes())), SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

function ownBytes(): number {
  try {
    const line = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return line === null ? 0 : Number(line[1]) * 1024;
  } catch {
    return 0;
  }
}

export interface Elapsed<T> {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly result: T;
}

export async function timed<T>(run: () => Promise<T>): Promise<Elapsed<T>> {
  const cpu = cpuSeconds();
  const start = performance.now();
  const result = await run();
  return { seconds: (performance.now() - start) / 1000, cpuSeconds: cpuSeconds() - cpu, result };
}

/** Bytes that a directory takes on disk, as `du` counts. */
export async function bytesOnDisk(directory: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(directory, { recursive: true })) {
    const { blocks, size } = await lstat(join(directory, name));
    bytes += blocks > 0 || size === 0 ? blocks * 512 : size;
  }
  return bytes;
}

const TICK_MS = 10;

/** A 10 ms timer that notes how late it comes at worst. */
export class TimerWatch {
  #last = performance.now();
  #worst = 0;
  readonly #timer = setInterval(() => this.#tick(), TICK_MS);

  #tick(): void {
    const now = performance.now();
    this.#worst = Math.max(this.#worst, now - this.#last - TICK_MS);
    this.#last = now;
  }

  /** Milliseconds. */
  stop(): number {
    this.#tick();
    clearInterval(this.#timer);
    return this.#worst;
  }
}
