/**
 * The time of one request: how much of it is left, and for how long it kept the processor busy. The clock stands still while the request
 * waits for its turn or for its reader, because neither is its fault.
 */

/** No step holds the processor longer. What takes more time has waited for something. */
const LONGEST_STEP_MS = 20;

export class Clock {
  #limitMs: number;
  /** What is left while the clock stands still. */
  #leftMs: number;
  /** When the time is over; `Infinity` while the clock stands still. */
  #deadline = Infinity;
  #running = false;
  #stepBegan = 0;
  #busyMs = 0;

  /** It begins to run with {@link start}. `Infinity`: any time. */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.#leftMs = limitMs;
  }

  get limitMs(): number {
    return this.#limitMs;
  }

  get running(): boolean {
    return this.#running;
  }

  start(now = performance.now()): void {
    if (this.#running) return;
    this.#running = true;
    this.#deadline = now + this.#leftMs;
    this.#stepBegan = now;
  }

  stop(now = performance.now()): void {
    if (!this.#running) return;
    this.#endStep(now);
    this.#leftMs = this.leftMs(now);
    this.#running = false;
    this.#deadline = Infinity;
  }

  /** Sets another limit. The time that has passed counts. */
  limit(limitMs: number): void {
    // The difference of two infinite limits is no number.
    const more = limitMs === this.#limitMs ? 0 : limitMs - this.#limitMs;
    this.#limitMs = limitMs;
    if (this.#running) this.#deadline += more;
    else this.#leftMs += more;
  }

  passed(now = performance.now()): boolean {
    return now > this.#deadline;
  }

  leftMs(now = performance.now()): number {
    return this.#running ? this.#deadline - now : this.#leftMs;
  }

  /** The event loop gets its turn: others work now. */
  rest(now = performance.now()): void {
    this.#endStep(now);
  }

  /** The event loop had its turn. */
  resume(now = performance.now()): void {
    this.#stepBegan = now;
  }

  /** Counts processor time that another thread used. */
  charge(ms: number): void {
    this.#busyMs += ms;
  }

  /** About how many milliseconds of the processor were used. */
  get busyMs(): number {
    return this.#busyMs + (this.#running ? Math.min(performance.now() - this.#stepBegan, LONGEST_STEP_MS) : 0);
  }

  #endStep(now: number): void {
    if (!this.#running) return;
    this.#busyMs += Math.min(now - this.#stepBegan, LONGEST_STEP_MS);
    this.#stepBegan = now;
  }
}
