/** Counts the feeds that are open: of each account, of each network for callers without one, of all these, and of all. */
import { AccessError } from '@quadrille/model';
import type { ServiceLimits } from '../options.js';
import { type Caller, isKnown } from './caller.js';
import { networkOf } from './network.js';
import { shareOfStrangers } from './strangers.js';

const RETRY_AFTER_SECONDS = 10;

export class FeedCount {
  readonly #byKey = new Map<string, number>();
  #all = 0;
  #ofStrangers = 0;

  constructor(private readonly limits: Pick<ServiceLimits, 'feedsPerAccount' | 'feedsAtOnce'>) {}

  /** Feeds that are open now. */
  get open(): number {
    return this.#all;
  }

  /**
   * Counts a feed until the returned function is called; a second call of it does nothing.
   * @throws AccessError `RATE_LIMITED` where it is one too many
   */
  enter(caller: Caller, address: string): () => void {
    const { account } = caller;
    const key = account === undefined ? `network ${networkOf(address)}` : `account ${account}`;
    const stranger = isKnown(caller) ? 0 : 1;
    const { feedsPerAccount, feedsAtOnce } = this.limits;
    const others = this.#byKey.get(key) ?? 0;
    if (others >= feedsPerAccount) {
      const whose = account === undefined ? 'this network' : `account ${account}`;
      throw refusal(`${whose} has ${String(feedsPerAccount)} feeds open, which is the limit`);
    }
    if (this.#all >= feedsAtOnce) throw refusal(`the server has ${String(feedsAtOnce)} feeds open, which is the limit`);
    if (this.#ofStrangers + stranger > shareOfStrangers(feedsAtOnce))
      throw refusal('clients without a token have all of their feeds open; the others are kept for accounts');
    this.#add(key, 1);
    this.#ofStrangers += stranger;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#add(key, -1);
      this.#ofStrangers -= stranger;
    };
  }

  #add(key: string, more: number): void {
    this.#all += more;
    const count = (this.#byKey.get(key) ?? 0) + more;
    if (count > 0) this.#byKey.set(key, count);
    else this.#byKey.delete(key);
  }
}

const refusal = (message: string): AccessError =>
  new AccessError('RATE_LIMITED', message, { details: { retryAfter: RETRY_AFTER_SECONDS } });
