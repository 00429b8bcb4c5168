/** Clocks and memory figures of one process. */
import { readFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** CPU seconds of all threads of this process so far. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The largest memory of this process so far, in bytes: VmHWM on Linux, elsewhere the value of getrusage. */
export function peakBytes(): number {
  try {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    if (line !== null) return Number(line[1]) * 1024;
  } catch {
    // The file exists on Linux only.
  }
  return process.resourceUsage().maxRSS * 1024;
}

const SAMPLE_MS = 100;

/**
 * The largest own memory of this process while `work` runs, in bytes, sampled ten times a second. It excludes the
 * pages of mapped files, because the system can reclaim them. Returns 0 if there is no /proc.
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

/** Bytes of a directory on disk, counted like `du`. */
export async function bytesOnDisk(directory: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(directory, { recursive: true })) {
    const { blocks, size } = await lstat(join(directory, name));
    bytes += blocks > 0 || size === 0 ? blocks * 512 : size;
  }
  return bytes;
}

const TICK_MS = 10;

/** A 10 ms timer that records its largest delay. */
export class TimerWatch {
  #last = performance.now();
  #worst = 0;
  readonly #timer = setInterval(() => this.#tick(), TICK_MS);

  #tick(): void {
    const now = performance.now();
    this.#worst = Math.max(this.#worst, now - this.#last - TICK_MS);
    this.#last = now;
  }

  /** Stops the timer and returns the delay in milliseconds. */
  stop(): number {
    this.#tick();
    clearInterval(this.#timer);
    return this.#worst;
  }
}
