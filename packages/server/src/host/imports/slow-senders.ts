/** Imports whose senders are slow, while imports of other accounts wait for their places. The slowest one gives up its place, then the next one. */
import type { AdmissionQueue } from '../queries/admission-queue.js';
import type { ServiceLimits } from '../options.js';

/** An import that has one of the places. */
export interface Sender {
  readonly account: string;
  /** Bytes for each second of waiting for them, at the moment of the call. */
  rate: () => number;
}

/** How long others wait before a slow import gives up its place, as a part of `importIdleMs`. */
const PATIENCE = 1 / 6;

export class SlowSenders {
  readonly #senders = new Set<Sender>();

  constructor(
    private readonly queue: Pick<AdmissionQueue, 'longestWaitMs'>,
    private readonly limits: Pick<ServiceLimits, 'importIdleMs' | 'importBusyRate'>,
  ) {}

  /** For an import that has got a place. Call {@link leave} at its end. */
  enter(account: string): Sender {
    const sender = { account, rate: () => Number.POSITIVE_INFINITY };
    this.#senders.add(sender);
    return sender;
  }

  leave(sender: Sender): void {
    this.#senders.delete(sender);
  }

  /** Whether an import may go on at this rate. */
  mayStay(sender: Sender, rateNow: () => number, waitedMs: number): boolean {
    sender.rate = rateNow;
    const rate = rateNow();
    const { importIdleMs, importBusyRate } = this.limits;
    const patienceMs = importIdleMs * PATIENCE;
    if (rate >= importBusyRate || waitedMs < patienceMs) return true;
    if (this.queue.longestWaitMs(sender.account) < patienceMs) return true;
    return Array.from(this.#senders).some((other) => other !== sender && other.rate() < rate);
  }
}
