/** An answer that waits for changes: it is counted while it is open, and ends as soon as it may not go on. */
import { AccessError } from '@quadrille/model';
import type { Context } from '../context.js';
import type { Service } from '../service.js';

/** How often it is asked whether the client still may read. A lost right ends feeds within 5 s. */
const GUARD_MS = 2000;

/** Why a feed ended: the client went away, the server closes, the client may not read any more, or there is no more to tell. */
export type FeedEnd = 'gone' | 'closing' | 'refused' | 'done';

export class Feed {
  /** Why it ended; `undefined` while it is open. */
  ended: FeedEnd | undefined;
  /** What refused the client, after the end `refused`. */
  refusal: unknown;
  readonly #controller = new AbortController();
  readonly #leave: () => void;
  readonly #guard: NodeJS.Timeout;
  readonly #gone = (): void => this.end('gone');
  readonly #closing = (): void => this.end('closing');

  /** @throws AccessError `RATE_LIMITED` where it is one too many */
  constructor(
    private readonly service: Service,
    private readonly context: Context,
  ) {
    const { caller, address, request } = context;
    this.#leave = service.hosted.feeds.enter(caller, address);
    this.#guard = setInterval(() => void this.#check(), GUARD_MS).unref();
    request.signal.addEventListener('abort', this.#gone);
    request.closing?.addEventListener('abort', this.#closing);
    if (request.signal.aborted) this.end('gone');
    else if (request.closing?.aborted === true) this.end('closing');
  }

  /** Aborts when the feed ends. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Only the first end counts. */
  end(why: FeedEnd): void {
    if (this.ended !== undefined) return;
    this.ended = why;
    const { request } = this.context;
    clearInterval(this.#guard);
    request.signal.removeEventListener('abort', this.#gone);
    request.closing?.removeEventListener('abort', this.#closing);
    this.#leave();
    this.#controller.abort(new Error('the feed has ended'));
  }

  /** What cannot be checked is refused: the client may ask again. */
  async #check(): Promise<void> {
    const { service, context } = this;
    try {
      if (!(await service.hosted.authenticator.isCurrent(context.caller)))
        throw new AccessError('UNAUTHENTICATED', 'the credentials are not valid any more');
      await service.authorize(context, 'read');
    } catch (error) {
      if (this.ended === undefined) this.refusal = error;
      this.end('refused');
    }
  }
}
