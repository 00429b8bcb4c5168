/**
 * Tells the hosts that clients name that a job is done: in the background, with a few attempts, and only where that is allowed.
 * What is still to be told is in the store, so that it outlives the process.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { AccessError, FetchError } from '@quadrille/model';
import type { Database, Logger } from 'quadrille';
import { ByteBudget } from '../byte-budget.js';
import { Records } from '../records.js';

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
/** Of the notes of callbacks that are not sent yet; more are refused. */
const MAX_PENDING_BYTES = 8 * 1024 ** 2;
/** Of a callback beside its note: its document, timers, a connection. */
const FIXED_BYTES = 4096;
const RETRY_AFTER_SECONDS = 10;

export class Callbacks {
  readonly #controller = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  readonly #bytes = new ByteBudget(MAX_PENDING_BYTES);
  readonly #notes: Records<object>;
  #unsent: ReadonlyMap<string, object> = new Map();

  private constructor(
    database: Database,
    private readonly sender: CallbackSender | undefined,
    private readonly logger: Logger | undefined,
  ) {
    this.#notes = new Records(database.records, 'callback');
  }

  static async open(
    database: Database,
    sender: CallbackSender | undefined,
    logger: Logger | undefined,
  ): Promise<Callbacks> {
    const callbacks = new Callbacks(database, sender, logger);
    const notes = await callbacks.#notes.list();
    // They may hold credentials: where nobody is told any more, they do not stay.
    if (sender === undefined && notes.size > 0) await callbacks.#notes.delete([...notes.keys()]);
    else callbacks.#unsent = notes;
    return callbacks;
  }

  /** Whether a URL may be told. @throws FetchError `URL_NOT_ALLOWED`, `BLOCKED_ADDRESS` */
  check(url: string): void {
    if (this.sender === undefined) {
      throw new FetchError('BLOCKED_ADDRESS', 'this server tells no other host when something is done');
    }
    this.sender.check(url);
  }

  /** Before a job begins whose client wants to be told. @throws AccessError `RATE_LIMITED` where too much is not sent yet */
  admit(): void {
    if (!this.#bytes.exceeded) return;
    throw new AccessError('RATE_LIMITED', 'too many clients wait to be told that their job is done', {
      details: { retryAfter: RETRY_AFTER_SECONDS },
    });
  }

  /** What the process before this one has not sent, by job: notes as {@link send} had them. Given out once. */
  takeUnsent(): ReadonlyMap<string, object> {
    const unsent = this.#unsent;
    this.#unsent = new Map();
    return unsent;
  }

  /**
   * Sends what `callback` gives once that is known; a failure is logged. Resolves when the note, of which another process can
   * make the callback again, is on disk; nobody waits for the rest.
   */
  async send(job: string, note: object, callback: Promise<Callback>): Promise<void> {
    callback.catch(() => undefined);
    await this.#notes.put(job, note);
    if (this.sender === undefined) return;
    const bytes = JSON.stringify(note).length + FIXED_BYTES;
    this.#bytes.hold(bytes);
    const sending = this.#finish(this.sender, job, callback).finally(() => {
      this.#bytes.release(bytes);
      this.#pending.delete(sending);
    });
    this.#pending.add(sending);
  }

  /** The note goes when it has been sent or given up, not where only the process ends. */
  async #finish(sender: CallbackSender, job: string, callback: Promise<Callback>): Promise<void> {
    try {
      await this.#attempts(sender, await callback);
    } catch (error) {
      if (this.#controller.signal.aborted) return;
      this.logger?.warn('a callback failed', { job, error: String(error) });
    }
    await this.#notes
      .delete([job])
      .catch((error: unknown) => this.logger?.warn('a callback stays noted', { job, error: String(error) }));
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

  /** Leaves what is still to be sent to the next process. */
  async close(): Promise<void> {
    this.#controller.abort();
    await this.idle();
  }
}
