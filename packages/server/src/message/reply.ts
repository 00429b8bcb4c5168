/** Replies of routes, which an adapter sends. Making a `Response` of the Fetch standard would cost more than a short query. */
import { platform } from '../host/index.js';
import { lowerCase } from './request.js';

/** A stream is read with backpressure from the client, and cancelled when the client disconnects. */
export type ReplyBody = string | Uint8Array | ReadableStream<Uint8Array> | null;

/** Headers. Names are not case-sensitive. */
export class ReplyHeaders implements Iterable<readonly [name: string, value: string]> {
  readonly #values = new Map<string, string>();

  constructor(values: Readonly<Record<string, string>> | ReplyHeaders = {}) {
    if (values instanceof ReplyHeaders) for (const [name, value] of values) this.#values.set(name, value);
    else for (const name in values) this.#values.set(lowerCase(name), values[name]!);
  }

  /** The value of a header; `null` if there is none. */
  get(name: string): string | null {
    return this.#values.get(lowerCase(name)) ?? null;
  }

  /** Whether the header is set. */
  has(name: string): boolean {
    return this.#values.has(lowerCase(name));
  }

  /** Sets a header in place of its earlier values. */
  set(name: string, value: string): void {
    this.#values.set(lowerCase(name), value);
  }

  /** Adds a value to those of the same name. */
  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }

  /** Removes a header. */
  delete(name: string): void {
    this.#values.delete(lowerCase(name));
  }

  /** Names, in lower case, and values. */
  [Symbol.iterator](): Iterator<readonly [name: string, value: string]> {
    return this.#values.entries();
  }
}

/** The answer to a request. */
export class Reply {
  /** Status of HTTP. */
  readonly status: number;
  /** The headers. */
  readonly headers: ReplyHeaders;
  /** Called once, when a body that is a stream has ended or was broken off, with the bytes that the connection has taken. */
  onSent: ((bytes: number) => void) | undefined;

  constructor(
    /** The body; `null` for none. */
    readonly body: ReplyBody,
    {
      status = 200,
      headers = {},
    }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> | ReplyHeaders } = {},
  ) {
    this.status = status;
    this.headers = headers instanceof ReplyHeaders ? headers : new ReplyHeaders(headers);
  }
}

/** The length of a body in memory; `undefined` for a stream. */
export function lengthOf(body: ReplyBody): number | undefined {
  if (body === null) return 0;
  if (typeof body === 'string') return platform.byteLength(body);
  return body instanceof Uint8Array ? body.byteLength : undefined;
}
