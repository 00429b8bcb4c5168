/** A token bucket for the requests of each account, and of each network for requests without credentials. */
import { AccessError } from '@quadrille/model';
import type { Caller } from './caller.js';
import { networkOf } from './network.js';

const MAX_KEYS = 20_000;

interface Bucket {
  /** Requests that are allowed now. */
  left: number;
  at: number;
}

/** Limits the requests of each account, and of each network without one. */
export class RequestLimiter {
  // Least recently used first.
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
    private readonly now: () => number,
  ) {}

  /** `cost`: as how many it counts. @throws AccessError `RATE_LIMITED` where it is one too many */
  count({ account }: Caller, address: string, cost = 1): void {
    const key = account === undefined ? `network ${networkOf(address)}` : `account ${account}`;
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

  // Bounds the memory, since clients can have many addresses.
  #remember(key: string, bucket: Bucket): void {
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MAX_KEYS) this.#buckets.delete(this.#buckets.keys().next().value!);
  }
}
