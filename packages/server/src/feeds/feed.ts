/** An answer that waits for changes: it is counted while it is open, and ends with its client and with the server. */
import { NotFoundError } from '@quadrille/model';
import type { Context } from '../context.js';
import type { Service } from '../service.js';

/** Why a feed ended: the client closed the connection or may not read any more, the server closes, or there is no more to tell. */
export type FeedEnd = 'gone' | 'closing' | 'done';

const GONE: ReadonlySet<string> = new Set(['REPOSITORY_DELETED', 'BRANCH_NOT_FOUND']);

/** A feed ends without an error where its signal aborts, its repository is dropped, or its branch is deleted. */
export async function* untilOver<T>(items: () => AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  try {
    yield* items();
  } catch (error) {
    const isOver = signal.aborted || (error instanceof NotFoundError && GONE.has(error.code));
    if (!isOver) throw error;
  }
}

export class Feed {
  /** Why it ended; `undefined` while it is open. */
  ended: FeedEnd | undefined;
  readonly #controller = new AbortController();
  readonly #leave: () => void;
  readonly #gone = (): void => this.end('gone');
  readonly #closing = (): void => this.end('closing');

  /** @throws AccessError `RATE_LIMITED` where it is one too many */
  constructor(
    service: Service,
    private readonly context: Context,
  ) {
    const { caller, address, request } = context;
    this.#leave = service.hosted.feeds.enter(caller, address);
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
    request.signal.removeEventListener('abort', this.#gone);
    request.closing?.removeEventListener('abort', this.#closing);
    this.#leave();
    this.#controller.abort(new Error('the feed has ended'));
  }
}
