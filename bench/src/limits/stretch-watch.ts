/** Measures the longest time for which calls held the event loop, so that no timer and no request had its turn. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { PerformanceEntry } from 'node:perf_hooks';
import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';

const TICK_MS = 1;
/** Linux only: nanoseconds for which the main thread ran. The system updates the file about every 4 ms. */
const CLOCK = '/proc/self/schedstat';

/** A turn of the event loop: its time, and how long the main thread had run by then. In milliseconds. */
interface Turn {
  readonly time: number;
  readonly ran: number;
}

/**
 * A timer reads the clocks in each turn. A stretch is the time between two turns, without garbage collections. If the
 * system reports how long the thread ran, other programs do not count either. Accurate to a few milliseconds.
 */
export class StretchWatch {
  readonly #clock = openClock();
  readonly #turns: Turn[] = [];
  readonly #collections: PerformanceEntry[] = [];
  readonly #observer = new PerformanceObserver((list) => this.#collections.push(...list.getEntries()));
  readonly #timer = setInterval(() => this.#turn(), TICK_MS);

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
    this.#turn();
  }

  #turn(): void {
    this.#turns.push({ time: performance.now(), ran: this.#ran() });
  }

  #ran(): number {
    if (this.#clock === undefined) return performance.now();
    const length = readSync(this.#clock, scratch, 0, scratch.length, 0);
    return Number.parseInt(scratch.toString('latin1', 0, length), 10) / 1e6;
  }

  /** Ends the measurement and returns the longest stretch in milliseconds. */
  async stop(): Promise<number> {
    this.#turn();
    clearInterval(this.#timer);
    // Garbage collections are reported one turn later.
    await turn();
    await turn();
    this.#collections.push(...this.#observer.takeRecords());
    this.#observer.disconnect();
    if (this.#clock !== undefined) closeSync(this.#clock);
    return longestStretch(this.#turns, this.#collections);
  }
}

const scratch = Buffer.alloc(256);

function openClock(): number | undefined {
  try {
    return openSync(CLOCK, 'r');
  } catch {
    return undefined;
  }
}

/** The longest stretch. Turns and collections are sorted by time. */
export function longestStretch(
  turns: readonly Turn[],
  collections: readonly Pick<PerformanceEntry, 'startTime' | 'duration'>[],
): number {
  let longest = 0;
  let next = 0;
  for (let i = 1; i < turns.length; i++) {
    const before = turns[i - 1]!;
    const { time, ran } = turns[i]!;
    let collected = 0;
    for (; next < collections.length && collections[next]!.startTime < time; next++) {
      collected += collections[next]!.duration;
    }
    longest = Math.max(longest, Math.min(time - before.time - collected, ran - before.ran));
  }
  return longest;
}
