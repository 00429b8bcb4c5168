/** Counts requests by account, and those of nobody in particular by address: so many a second, and a burst above it. */
import { AccessError } from '@quadrille/model';
import type { Caller } from './caller.js';

const MAX_KEYS = 20_000;

interface Bucket {
  /** Requests that may come at once. */
  left: number;
  at: number;
}

export class RequestLimiter {
  // In the order in which they were last used.
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
    private readonly now: () => number,
  ) {}

  /** `cost`: as how many it counts. @throws AccessError `RATE_LIMITED` where it is one too many */
  count({ account }: Caller, address: string, cost = 1): void {
    const key = account === undefined ? `address ${address}` : `account ${account}`;
    const now = this.now();
    const bucket = this.#buckets.get(key) ?? { left: this.burst, at: now };
    const gained = (Math.max(0, now - bucket.at) / 1000) * this.perSecond;
    bucket.left = Math.min(this.burst, bucket.left + gained);
    bucket.at = now;
    this.#remember(key, bucket);
    if (bucket.left < cost) {
      const retryAfter = Math.max(1, Math.ceil((cost - bucket.left) / this.perSecond));
      throw new AccessError('RATE_LIMITED', 'too many requests; try again later', { details: { retryAfter } });
    }
    bucket.left -= cost;
  }

  // Bounded, whatever addresses there are.
  #remember(key: string, bucket: Bucket): void {
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MAX_KEYS) this.#buckets.delete(this.#buckets.keys().next().value!);
  }
}
