/** What clients without credentials may take together, so that something is left for accounts. */
import { AccessError } from '@quadrille/model';
import type { ByteBudget } from '../byte-budget.js';
import { type Caller, isKnown } from './caller.js';
import { networkOf } from './network.js';

/** Of a number of places: three quarters, and one place fewer than all where there are several. */
export const shareOfStrangers = (places: number): number => (places < 2 ? places : places - Math.ceil(places / 4));

const RETRY_AFTER_SECONDS = 10;
/** The part of the bytes that one network may hold. */
const SHARE_OF_NETWORK = 4;

/** Counts the bodies of clients without credentials that are in memory. */
export class StrangersBytes {
  readonly #byNetwork = new Map<string, number>();

  constructor(private readonly budget: ByteBudget) {}

  /**
   * Counts received bytes until the returned function is called. The bodies of accounts are not counted.
   * @throws AccessError `RATE_LIMITED` where it is too much
   */
  hold(caller: Caller, address: string, bytes: number): () => void {
    if (isKnown(caller)) return () => undefined;
    const network = networkOf(address);
    this.#add(network, bytes);
    const own = this.#byNetwork.get(network) ?? 0;
    if (!this.budget.exceeded && own <= this.budget.limit / SHARE_OF_NETWORK) return () => this.#add(network, -bytes);
    this.#add(network, -bytes);
    throw new AccessError('RATE_LIMITED', 'the bodies of other clients without a token use all memory for them', {
      details: { retryAfter: RETRY_AFTER_SECONDS },
    });
  }

  #add(network: string, bytes: number): void {
    this.budget.hold(bytes);
    const left = (this.#byNetwork.get(network) ?? 0) + bytes;
    if (left > 0) this.#byNetwork.set(network, left);
    else this.#byNetwork.delete(network);
  }
}
