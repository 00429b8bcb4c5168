/** Counts failed authentications by key, and blocks a key that has too many within a minute. */

const WINDOW_MS = 60_000;
const MAX_KEYS = 20_000;

interface Window {
  count: number;
  readonly ends: number;
}

export class FailureLimiter {
  // In the order of their ends.
  readonly #windows = new Map<string, Window>();

  constructor(
    private readonly perMinute: number,
    private readonly now: () => number,
  ) {}

  /** Seconds until the key may try again; `undefined` if it may try now. */
  retryAfter(key: string): number | undefined {
    const window = this.#windows.get(key);
    if (window === undefined || window.count < this.perMinute) return undefined;
    const left = window.ends - this.now();
    return left > 0 ? Math.ceil(left / 1000) : undefined;
  }

  failed(key: string): void {
    const now = this.now();
    const window = this.#windows.get(key);
    if (window !== undefined && window.ends > now) {
      window.count++;
      return;
    }
    this.#windows.delete(key);
    this.#forget(now);
    this.#windows.set(key, { count: 1, ends: now + WINDOW_MS });
  }

  // Bounds the memory, since clients can invent keys.
  #forget(now: number): void {
    for (const [key, { ends }] of this.#windows) {
      if (ends > now && this.#windows.size < MAX_KEYS) return;
      this.#windows.delete(key);
    }
  }
}
