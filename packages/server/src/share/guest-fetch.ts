/**
 * The requests of a guest: to the process that holds the store, or to the one that has taken over. A write carries a key, with which
 * it is done once, and the store keeps the key in the batch of the commit.
 */
import { RecentMap } from '@quadrille/model';
import type { Sent, Wire } from './exchange.js';
import { Lost, readOnly, unavailable, unknown } from './lost.js';
import { type Asked, isDoneOnce, isWrite } from './repeatable.js';

/** How long a call waits for a holder, in milliseconds. */
export const PATIENCE_MS = 5000;
/** After so long without an answer the holder is asked whether it lives. */
const SILENCE_MS = 1000;
const MOST_MADE = 1000;
const KEY = 'Quadrille-Forwarded';

/** Where requests go. */
export interface Destination {
  /** Answers in this process, while that is the holder. */
  own(): ((request: Request) => Promise<Response>) | undefined;
  readonly readOnly: boolean;
  /** Waits for a holder after the one before was lost. @throws where the store cannot be opened */
  reach(untilMs: number): Promise<void>;
}

/** A body that can be sent again, or a stream. */
type Body = Uint8Array | AsyncIterable<Uint8Array> | undefined;

export class GuestFetch {
  /** When the holder has answered last, by `performance.now()`. */
  #heard = 0;
  /** Revisions that writes were answered with. */
  readonly #made = new RecentMap<string, true>(MOST_MADE);

  constructor(
    private readonly to: Destination,
    private readonly wire: Wire,
  ) {}

  /** Forgets connections to a holder that is gone. @param holder the id of the next one's process */
  renew(holder: number | undefined): void {
    this.wire.renew(holder);
    this.#heard = performance.now();
  }

  close(): void {
    this.wire.close();
  }

  /**
   * As `fetch`.
   * @throws ClientError `STORE_UNAVAILABLE` where certainly nothing was written; `COMMIT_UNKNOWN`; `READ_ONLY`
   */
  readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search, searchParams } = new URL(url);
    const { method = 'GET', signal } = init;
    const headers = init.headers as Record<string, string>;
    const asked: Asked = { method, path: pathname, parameters: searchParams, contentType: headers['Content-Type'] };
    const writes = isWrite(asked);
    if (writes && this.to.readOnly) throw readOnly();
    const once = isDoneOnce(asked);
    const sent: Sent = {
      method,
      path: pathname + search,
      headers: once ? { ...headers, [KEY]: crypto.randomUUID() } : headers,
      body: await bodyOf(init.body),
      signal: signal ?? undefined,
    };
    const answer = await this.#answered(sent, writes, !writes || once);
    const revision = writes ? /"([\da-f-]{36})/.exec(answer.headers.get('ETag') ?? '')?.[1] : undefined;
    if (revision !== undefined) this.#made.set(revision, true);
    return this.#isOfMade(pathname) ? this.#whole(answer) : answer;
  };

  async #answered(sent: Sent, writes: boolean, mayRepeat: boolean): Promise<Response> {
    const isStream = sent.body !== undefined && !(sent.body instanceof Uint8Array);
    let until: number | undefined;
    let isInDoubt = false;
    for (;;) {
      try {
        return await this.#once(sent, writes && !isInDoubt);
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        const mayBeDone = writes && error.sent === 'all';
        isInDoubt ||= mayBeDone;
        const isOver = error.sent !== 'nothing' && (isStream || (isInDoubt && !mayRepeat));
        until ??= performance.now() + PATIENCE_MS;
        if (isOver || error.cause === STOPPED || performance.now() > until) throw this.#ended(sent, isInDoubt, error);
      }
      try {
        await this.to.reach(until);
      } catch (error) {
        throw this.#ended(sent, isInDoubt, error);
      }
    }
  }

  /** A call that asks for the revision that it has made cannot say that nothing was written. */
  #ended({ path }: Sent, isInDoubt: boolean, error: unknown): Error {
    return ended(isInDoubt || this.#isOfMade(path), error);
  }

  #isOfMade(path: string): boolean {
    const [, revision = ''] = /\/revisions\/([\da-f-]{36})$/.exec(path) ?? [];
    return this.#made.get(revision) === true;
  }

  async #whole(answer: Response): Promise<Response> {
    try {
      return new Response(await answer.text(), answer);
    } catch (error) {
      throw ended(true, error);
    }
  }

  /** @param checks whether a holder that was silent is asked for a sign of life first: it may be suspended */
  async #once(sent: Sent, checks: boolean): Promise<Response> {
    const own = this.to.own();
    if (own !== undefined) return own(asRequest(sent));
    if (checks && performance.now() - this.#heard > SILENCE_MS && !(await this.wire.lives()))
      throw new Lost('nothing', STOPPED);
    const { answer, leave } = this.wire.send(sent);
    const response = await this.#watched(answer, leave);
    this.#heard = performance.now();
    return passed(response);
  }

  /** Gives up an answer for which a holder that is suspended lets wait. */
  async #watched(answer: Promise<Response>, leave: (cause: Error) => void): Promise<Response> {
    let asking = false;
    const timer = setInterval(() => {
      if (asking) return;
      asking = true;
      void this.wire.lives().then((lives) => {
        asking = false;
        if (!lives) leave(STOPPED);
      });
    }, SILENCE_MS);
    try {
      return await answer;
    } catch (error) {
      // The socket tells it as its own error.
      if (error instanceof Lost && error.cause === STOPPED) throw new Lost(error.sent, STOPPED);
      throw error;
    } finally {
      clearInterval(timer);
    }
  }
}

const STOPPED = new Error('the process that holds the store does not answer: it may be suspended');

const ended = (isInDoubt: boolean, cause: unknown): Error => {
  const { message } =
    cause instanceof Error && cause.cause === STOPPED ? STOPPED : new Error('no process holds the store');
  const why = cause instanceof Error && !(cause instanceof Lost) ? cause.message : message;
  return isInDoubt ? unknown(why, cause) : unavailable(why, cause);
};

/** An answer of a holder that ends, which has done nothing, is none. @throws Lost */
async function passed(response: Response): Promise<Response> {
  if (response.status !== 503) return response;
  const text = await response.text();
  if (/"code":\s*"(?:NOT_READY|STORE_NOT_OPEN)"/.test(text)) throw new Lost('nothing');
  return new Response(text, { status: 503, headers: response.headers });
}

function asRequest({ method, path, headers, body, signal }: Sent): Request {
  return new Request(`http://localhost${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: body as BodyInit, duplex: 'half' }),
    ...(signal && { signal }),
  } as RequestInit);
}

async function bodyOf(body: unknown): Promise<Body> {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof Blob) return new Uint8Array(await body.arrayBuffer());
  return body as AsyncIterable<Uint8Array>;
}
