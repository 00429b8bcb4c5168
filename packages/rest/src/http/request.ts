/** A request as the routes see it: what the `Request` of the Fetch standard and the one of node:http have in common. */

export interface RequestHeaders {
  /** Several headers of one name in one text. */
  get(name: string): string | null;
  has(name: string): boolean;
}

export interface HttpRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: RequestHeaders;
  /** To be read once. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Aborted when the client goes away. It may serve several requests: whoever listens to it takes the listener off again. */
  readonly signal: AbortSignal;
  /** Why it is no request that could be answered otherwise. Its `url` then names nothing. */
  readonly refusal?: Error | undefined;
}

/** A request that stands for another one. */
export class ChangedRequest implements HttpRequest {
  constructor(
    private readonly original: HttpRequest,
    readonly method: string,
    readonly body: AsyncIterable<Uint8Array> | null,
  ) {}

  get url(): string {
    return this.original.url;
  }

  get headers(): RequestHeaders {
    return this.original.headers;
  }

  get signal(): AbortSignal {
    return this.original.signal;
  }
}

/** All bytes of a body. Its length has been checked. */
export async function bytesOf(body: AsyncIterable<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Bytes that have been read, as a body. */
export async function* bodyOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The path of an absolute URL, as WHATWG has it. */
export function pathOfUrl(url: string): string {
  const from = url.indexOf('/', url.indexOf('://') + 3);
  if (from < 0) return '/';
  const query = url.indexOf('?', from);
  const path = query < 0 ? url.slice(from) : url.slice(from, query);
  // Nearly every path is as it should be, and to parse a URL takes as long as to find a route.
  return /^(?:\/[\w~:@%-][\w~:@%.-]*)+\/?$/.test(path) ? path : new URL(url).pathname;
}
