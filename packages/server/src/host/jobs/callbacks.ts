/**
 * Completion callbacks: requests to hosts that clients name, sent in the background when a job has ended, with up to three
 * attempts. A callback that is not sent yet is a record in the store, so that the next process can send it.
 */
import { AccessError, FetchError } from '@quadrille/model';
import type { Database, Logger } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { ByteBudget } from '../byte-budget.js';
import { delay } from '../platform/timers.js';
import { Records } from '../records.js';

/** A request that is sent when a job has ended. */
export interface Callback {
  /** Its address. */
  readonly url: string;
  /** Its method. */
  readonly method: 'PUT' | 'POST';
  /** Its headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its body. */
  readonly body: string;
}

/** The answer to a callback. Only its status counts. */
export interface CallbackAnswer {
  /** Status of HTTP. */
  readonly status: number;
  /** Ends the answer without reading its body. */
  close(): void;
}

/** Sends requests to other hosts. `createGuardedFetch` and `createUrlCheck` of `@quadrille/fetch` implement it. */
export interface CallbackSender {
  /** Throws a FetchError for a URL to which no callback may be sent. */
  readonly check: (url: string) => void;
  /** Sends it. */
  readonly fetch: (request: Callback & { readonly signal: AbortSignal }) => Promise<CallbackAnswer>;
}

const WAITS_MS = [1000, 10_000];
/** Bound of the records of callbacks that are not sent yet. Beyond it new callbacks are refused. */
const MAX_PENDING_BYTES = 8 * 1024 ** 2;
/** Memory of one callback in addition to its record: its document, timers, a connection. */
const FIXED_BYTES = 4096;
const RETRY_AFTER_SECONDS = 10;

/** The callbacks of jobs. They are sent again after failures, also after a restart. */
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
    this.#notes = new Records(hostOf(database).records, 'callback');
  }

  static async open(
    database: Database,
    sender: CallbackSender | undefined,
    logger: Logger | undefined,
    follows = false,
  ): Promise<Callbacks> {
    const callbacks = new Callbacks(database, sender, logger);
    if (follows) return callbacks;
    const notes = await callbacks.#notes.list();
    // The records may contain credentials. A server that sends no callbacks deletes them.
    if (sender === undefined && notes.size > 0) await callbacks.#notes.delete([...notes.keys()]);
    else callbacks.#unsent = notes;
    return callbacks;
  }

  /** Whether a URL may be told. @throws FetchError `URL_NOT_ALLOWED`, `BLOCKED_ADDRESS` */
  check(url: string): void {
    if (this.sender === undefined) {
      throw new FetchError('BLOCKED_ADDRESS', 'callbacks are disabled on this server');
    }
    this.sender.check(url);
  }

  /** Before a job begins whose client wants to be told. @throws AccessError `RATE_LIMITED` where too much is not sent yet */
  admit(): void {
    if (!this.#bytes.exceeded) return;
    throw new AccessError('RATE_LIMITED', 'too many callbacks are waiting', {
      details: { retryAfter: RETRY_AFTER_SECONDS },
    });
  }

  /** The callbacks that the previous process did not send: the `note` of {@link send} by job. Returned once. */
  takeUnsent(): ReadonlyMap<string, object> {
    const unsent = this.#unsent;
    this.#unsent = new Map();
    return unsent;
  }

  /**
   * Sends the callback in the background once `callback` resolves; a failure is logged. Resolves when `note` is on disk: another
   * process can make the callback from it.
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

  /** Deletes the note when the callback was sent or given up. If only the process ends, the note stays. */
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
        // Other statuses of 4xx will not change with another attempt.
        const lasting = answer.status < 500 && answer.status !== 429;
        if (wait === undefined || lasting) throw new Error(`answered with status ${String(answer.status)}`);
      } catch (error) {
        const passing =
          error instanceof FetchError && (error.code === 'FETCH_FAILED' || error.code === 'FETCH_TIMEOUT');
        if (wait === undefined || !passing || signal.aborted) throw error;
      }
      await delay(wait, signal);
    }
  }

  /** Resolves when no callback is being sent. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Stops sending. The next process sends the remaining callbacks. */
  async close(): Promise<void> {
    this.#controller.abort();
    await this.idle();
  }
}
