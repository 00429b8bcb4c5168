/** Tells the hosts that clients name that a job is done: in the background, with a few attempts, and only where that is allowed. */
import { setTimeout as delay } from 'node:timers/promises';
import { FetchError } from '@quadrille/model';
import type { Logger } from 'quadrille';

export interface Callback {
  readonly url: string;
  readonly method: 'PUT' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How other hosts are reached; `createGuardedFetch` and `createUrlCheck` of `@quadrille/fetch` fit. */
export interface CallbackSender {
  /** Throws a FetchError where a URL may not be told. */
  readonly check: (url: string) => void;
  readonly fetch: (
    request: Callback & { readonly signal: AbortSignal },
  ) => Promise<{ readonly status: number; close(): void }>;
}

const WAITS_MS = [1000, 10_000];
/** More at once are not sent. */
const MAX_PENDING = 1000;

export class Callbacks {
  readonly #controller = new AbortController();
  readonly #pending = new Set<Promise<void>>();

  constructor(
    private readonly sender: CallbackSender | undefined,
    private readonly logger: Logger | undefined,
  ) {}

  /** Whether a URL may be told. @throws FetchError `URL_NOT_ALLOWED`, `BLOCKED_ADDRESS` */
  check(url: string): void {
    if (this.sender === undefined) {
      throw new FetchError('BLOCKED_ADDRESS', 'this server tells no other host when something is done');
    }
    this.sender.check(url);
  }

  /** Sends what `callback` gives once that is known. A failure is logged, and nobody waits for it. */
  send(callback: Promise<Callback>): void {
    if (this.sender === undefined || this.#pending.size >= MAX_PENDING) return;
    const { sender } = this;
    const sending = callback
      .then((known) => this.#attempts(sender, known))
      .catch((error: unknown) => this.logger?.warn('a callback failed', { error: String(error) }))
      .finally(() => this.#pending.delete(sending));
    this.#pending.add(sending);
  }

  async #attempts(sender: CallbackSender, callback: Callback): Promise<void> {
    const { signal } = this.#controller;
    for (const wait of [...WAITS_MS, undefined]) {
      try {
        const answer = await sender.fetch({ ...callback, signal });
        answer.close();
        if (answer.status < 300) return;
        // What a host refuses now it refuses again.
        const lasting = answer.status < 500 && answer.status !== 429;
        if (wait === undefined || lasting) throw new Error(`answered with status ${String(answer.status)}`);
      } catch (error) {
        const passing =
          error instanceof FetchError && (error.code === 'FETCH_FAILED' || error.code === 'FETCH_TIMEOUT');
        if (wait === undefined || !passing || signal.aborted) throw error;
      }
      await delay(wait, undefined, { signal });
    }
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Gives up what is still to be sent. */
  async close(): Promise<void> {
    this.#controller.abort();
    await this.idle();
  }
}
