/** The files of a published store on a web host. Each request is tried again where that may help, and what a host does wrong is told. */
import { FetchError, NotFoundError, StorageError } from '@quadrille/model';
import type { PublishedFiles, ReadOptions } from './files.js';
import { MANIFEST } from './layout.js';

/** Options of {@link HttpFiles}. */
export interface HttpOptions {
  /** Most requests at once. @defaultValue `6` */
  readonly concurrency?: number | undefined;
  /** Gets the bytes of each request before it is sent. */
  readonly onRequest?: ((bytes: number) => void) | undefined;
  /** For tests: waits between two tries, in milliseconds. */
  readonly pause?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

const CONCURRENCY = 6;
const TRIES = 4;
const FIRST_PAUSE_MS = 200;
const MOST_PAUSE_MS = 10_000;
/** Any request is over by then, with all its tries. */
const DEADLINE_MS = 45_000;
const MOST_MANIFEST_BYTES = 4 * 1024 * 1024;
const TRY_AGAIN = new Set([429, 502, 503, 504]);

/** What a try came to: a response, or why there is none and whether another try may help. */
type Outcome<T> = { readonly done: T } | { readonly again: Error; readonly afterMs?: number | undefined };

export class HttpFiles implements PublishedFiles {
  readonly place: string;
  readonly #ended = new AbortController();
  readonly #concurrency: number;
  #active = 0;
  readonly #queue: (() => void)[] = [];

  /** @param url of the folder; a last slash is added where it is missing */
  constructor(
    url: string,
    private readonly options: HttpOptions = {},
  ) {
    this.place = url.endsWith('/') ? url : `${url}/`;
    this.#concurrency = options.concurrency ?? CONCURRENCY;
  }

  close(): void {
    this.#ended.abort(new StorageError('STORE_UNAVAILABLE', `${this.place} was closed`));
  }

  manifest({ reload = false }: ReadOptions = {}): Promise<string> {
    const url = this.place + MANIFEST;
    return this.#tries(url, async (signal) => {
      // The only file that changes.
      const response = await this.#get(url, { signal, cache: reload ? 'reload' : 'no-cache' });
      if ('again' in response) return response;
      if (response.done.status === 404)
        throw new NotFoundError('STORE_NOT_FOUND', `${this.place} has no published store: there is no ${MANIFEST}`, {
          details: { url },
        });
      if (response.done.status !== 200) throw this.#unsuitable(MANIFEST, `answers with status ${response.done.status}`);
      const bytes = await this.#body(response.done, MANIFEST, MOST_MANIFEST_BYTES);
      return 'again' in bytes ? bytes : { done: new TextDecoder().decode(bytes.done) };
    });
  }

  read(
    name: string,
    at: number,
    bytes: number,
    size: number,
    { reload = false }: ReadOptions = {},
  ): Promise<Uint8Array> {
    this.options.onRequest?.(bytes);
    const isWhole = at === 0 && bytes === size;
    const url = this.place + name;
    return this.#tries(url, async (signal) => {
      const given = await this.#get(url, {
        signal,
        cache: reload ? 'reload' : 'default',
        ...(isWhole ? {} : { headers: { range: `bytes=${at}-${at + bytes - 1}` } }),
      });
      if ('again' in given) return given;
      this.#check(given.done, name, { at, bytes, size, isWhole });
      const body = await this.#body(given.done, name, bytes);
      if ('again' in body || body.done.length === bytes) return body;
      return { again: this.#unsuitable(name, `sends ${body.done.length} bytes in place of ${bytes}`) };
    });
  }

  #check(
    { status, headers }: Response,
    name: string,
    asked: { at: number; bytes: number; size: number; isWhole: boolean },
  ): void {
    if (status === 404)
      throw this.#unsuitable(name, 'does not have it: the store may have been published again, so open it again');
    if (asked.isWhole && status === 200) return;
    if (status === 200)
      throw this.#unsuitable(
        name,
        'answers a request for a part with the whole file: publish for this host with --no-ranges',
      );
    if (status !== 206) throw this.#unsuitable(name, `answers with status ${status}`);
    const encoding = headers.get('content-encoding') ?? 'identity';
    if (encoding !== 'identity')
      throw this.#unsuitable(name, `packs parts of files with ${encoding}: switch that off for .pack`);
    const range = headers.get('content-range');
    // Without CORS headers for it, a page cannot see it.
    const isOther = range !== null && !range.startsWith(`bytes ${asked.at}-${asked.at + asked.bytes - 1}/`);
    if (isOther)
      throw this.#unsuitable(
        name,
        `gives the part "${range}" in place of bytes ${asked.at} to ${asked.at + asked.bytes - 1}`,
      );
  }

  #unsuitable(name: string, what: string): StorageError {
    return new StorageError('HOST_UNSUITABLE', `${this.place} ${what} (${name})`, { details: { file: name } });
  }

  async #get(url: string, init: RequestInit): Promise<Outcome<Response>> {
    let response: Response;
    try {
      response = await fetch(url, init);
    } catch (cause) {
      if (init.signal?.aborted === true) throw cause;
      const why =
        cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : String(cause);
      return {
        again: new FetchError(
          'FETCH_FAILED',
          `${url} could not be read: ${why}; in a page, its host has to allow other origins (CORS)`,
          {
            cause,
            details: { url },
          },
        ),
      };
    }
    if (!TRY_AGAIN.has(response.status)) return { done: response };
    await response.body?.cancel();
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const message = `${this.place} answers with status ${response.status}: try again later`;
    return {
      again: new StorageError('STORE_UNAVAILABLE', message, { details: { url, status: response.status } }),
      afterMs: seconds >= 0 ? Math.min(seconds * 1000, MOST_PAUSE_MS) : undefined,
    };
  }

  /** The body, but never more bytes than were asked for. */
  async #body(response: Response, name: string, most: number): Promise<Outcome<Uint8Array>> {
    const parts: Uint8Array[] = [];
    let length = 0;
    try {
      const reader = response.body?.getReader();
      for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
        length += next.value.length;
        if (length > most) throw this.#unsuitable(name, `sends more than ${most} bytes`);
        parts.push(next.value);
      }
    } catch (cause) {
      if (cause instanceof StorageError || this.#ended.signal.aborted) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      return {
        again: new FetchError('FETCH_FAILED', `${this.place}${name} broke off: ${why}`, {
          cause,
          details: { file: name },
        }),
      };
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return { done: bytes };
  }

  async #tries<T>(url: string, attempt: (signal: AbortSignal) => Promise<Outcome<T>>): Promise<T> {
    await this.#enter();
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const signal = AbortSignal.any([this.#ended.signal, deadline]);
    try {
      for (let tries = 1; ; tries++) {
        const outcome = await attempt(signal);
        if ('done' in outcome) return outcome.done;
        if (tries === TRIES) throw outcome.again;
        await (this.options.pause ?? pause)(outcome.afterMs ?? FIRST_PAUSE_MS * 2 ** (tries - 1), signal);
      }
    } catch (error) {
      if (this.#ended.signal.aborted) throw this.#ended.signal.reason;
      if (!deadline.aborted) throw error;
      throw new FetchError('FETCH_TIMEOUT', `${url} did not answer within ${DEADLINE_MS / 1000} s`, {
        cause: error,
        details: { url },
      });
    } finally {
      this.#leave();
    }
  }

  #enter(): Promise<void> | undefined {
    if (this.#active < this.#concurrency) {
      this.#active++;
      return undefined;
    }
    return new Promise((resolve) => this.#queue.push(resolve));
  }

  #leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#active--;
    else next();
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}
