/** The body of a feed of server-sent events: it waits for its client, and says that it lives. */
import type { Feed } from './feed.js';
import { unref } from '../host/index.js';

type Ending = Pick<Feed, 'ended' | 'signal' | 'end'>;

const HEARTBEAT_MS = 15_000;
/** A client that takes nothing when the feed ends has this long to hear why. */
const GRACE_MS = 1000;
/** Comments have no blank line: they may stand in the middle of an event. */
const HEARTBEAT = ':\n';
/** Milliseconds after which clients come back. */
const RETRY = 'retry: 1000\n\n';

const encoder = new TextEncoder();

/**
 * The chunks as a body, which are asked for one by one as the client takes them. The body ends with the feed, and the feed with the body. The
 * chunks have to end when the feed's signal aborts.
 */
export function feedStream(
  chunks: AsyncIterable<string>,
  feed: Ending,
  heartbeatMs = HEARTBEAT_MS,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(new FeedSource(chunks[Symbol.asyncIterator](), feed, heartbeatMs), {
    highWaterMark: 0,
  });
}

type Answer = { readonly text: string } | { readonly done: true } | { readonly error: unknown };

class FeedSource implements UnderlyingDefaultSource<Uint8Array> {
  /** The last answer of the iterator, until it is sent. */
  #answer: Answer | undefined;
  #asked = false;
  /** Ends the wait of a client that is ready to take more. */
  #wake: (() => void) | undefined;
  /** Whether the last chunk ended an event. */
  #between = true;
  #closed = false;
  #grace: NodeJS.Timeout | undefined;

  constructor(
    private readonly iterator: AsyncIterator<string>,
    private readonly feed: Ending,
    private readonly heartbeatMs: number,
  ) {}

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { signal } = this.feed;
    const ended = (): void => this.#end(controller);
    if (signal.aborted) ended();
    else signal.addEventListener('abort', ended, { once: true });
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#ask();
    if (this.#answer === undefined && this.feed.ended === undefined) await this.#wait();
    if (this.#closed) return;
    const answer = this.#answer;
    if (this.feed.ended !== undefined) this.#close(controller);
    else if (answer === undefined) controller.enqueue(encoder.encode(HEARTBEAT));
    else if ('text' in answer) this.#send(controller, answer.text);
    else if ('done' in answer) this.feed.end('done');
    else {
      this.#fail(controller, answer.error);
      this.feed.end('done');
    }
    if (this.feed.ended !== undefined) this.#close(controller);
  }

  async cancel(): Promise<void> {
    this.#closed = true;
    this.feed.end('gone');
    await this.iterator.return?.();
  }

  #ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    const settle = (answer: Answer): void => {
      this.#answer = answer;
      this.#wake?.();
    };
    this.iterator.next().then(
      ({ done, value }) => settle(done === true ? { done } : { text: value as string }),
      (error: unknown) => settle({ error }),
    );
  }

  /** Until there is an answer or an end, or for the time of a heartbeat. */
  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = unref(setTimeout(wake, this.heartbeatMs));
      this.#wake = wake;
    });
  }

  #send(controller: ReadableStreamDefaultController<Uint8Array>, text: string): void {
    this.#answer = undefined;
    this.#asked = false;
    this.#between = text === '\n' || text.endsWith('\n\n');
    controller.enqueue(encoder.encode(text));
  }

  #end(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.iterator.return?.().catch(() => undefined);
    if (this.#wake !== undefined) this.#wake();
    else if (this.feed.ended === 'gone') this.#fail(controller, this.feed.signal.reason);
    else if (!this.#closed) {
      const late = (): void => this.#fail(controller, this.feed.signal.reason);
      this.#grace = unref(setTimeout(late, GRACE_MS));
    }
  }

  // An event that is not complete is thrown away by the client. A blank line would complete it.
  #close(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#grace);
    if (this.#between) controller.enqueue(encoder.encode(RETRY));
    controller.close();
  }

  #fail(controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#grace);
    controller.error(error);
  }
}
