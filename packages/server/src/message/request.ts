/** Requests as the routes see them: the common part of `Request` of the Fetch standard and of node:http. */

/** The headers of a request. Names are not case-sensitive. */
export interface RequestHeaders {
  /** Values of the same name are joined by commas. */
  get(name: string): string | null;
  /** Whether the request has a header. */
  has(name: string): boolean;
}

const lowered = new Map<string, string>();

/** A name of a header in lower case. It is made once for each: a text that was just made is found slowly in an object or a map. */
export function lowerCase(name: string): string {
  let lower = lowered.get(name);
  if (lower === undefined) {
    lower = name.toLowerCase();
    if (lowered.size < MOST_NAMES) lowered.set(name, lower);
  }
  return lower;
}

/** Names are those of the code. */
const MOST_NAMES = 1000;

/** What is asked of a body that is held in memory, while it is read. */
export interface BodyCare {
  /** Longest wait for the next bytes; beyond it, a rate is asked of the whole time. */
  readonly idleMs: number;
  /** Gets the length of each piece, and may throw to refuse it. */
  hold(bytes: number): void;
}

/** A request as routes see it. */
export interface HttpRequest {
  /** The method, in capitals. */
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** The headers. */
  readonly headers: RequestHeaders;
  /** It can be read once. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /**
   * The whole body, if all of it is here: most short ones come with their head. Then it is taken, and {@link body} has nothing more.
   * `undefined`: it has to be read.
   */
  arrived?(): Uint8Array | undefined;
  /** Aborted when the client disconnects. One signal may serve all requests of a connection, so listeners have to be removed. */
  readonly signal: AbortSignal;
  /** Aborted when the server that has received it takes no more requests: answers without an end have to end. */
  readonly closing?: AbortSignal | undefined;
  /**
   * Aborts `signal`, with this reason. Called where the answer to this request may not go on; later requests of the connection get another
   * signal.
   */
  abandon?(reason: unknown): void;
  /** Set before the body is read. */
  care?: BodyCare | undefined;
  /** Set if the request is malformed: the error to answer with. The `url` has no meaning then. */
  readonly refusal?: Error | undefined;
}

/** A request with another method or body. */
export class ChangedRequest implements HttpRequest {
  care: BodyCare | undefined;

  /** @param content the other body; `undefined`: the same */
  constructor(
    private readonly original: HttpRequest,
    readonly method: string,
    private readonly content?: HttpRequest['body'] | Uint8Array,
  ) {
    this.care = original.care;
  }

  get body(): HttpRequest['body'] {
    const { content } = this;
    if (content === undefined) return this.original.body;
    return content instanceof Uint8Array ? bodyOf(content) : content;
  }

  arrived(): Uint8Array | undefined {
    const { content } = this;
    if (content === undefined) return this.original.arrived?.();
    return content instanceof Uint8Array ? content : undefined;
  }

  get url(): string {
    return this.original.url;
  }

  get headers(): RequestHeaders {
    return this.original.headers;
  }

  get signal(): AbortSignal {
    return this.original.signal;
  }

  get closing(): AbortSignal | undefined {
    return this.original.closing;
  }

  abandon(reason: unknown): void {
    this.original.abandon?.(reason);
  }
}

async function* bodyOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Everything before the path of an absolute URL. Parsing the URL would cost as much as a query. */
export function serverOfUrl(url: string): string {
  const end = url.indexOf('/', url.indexOf('://') + 3);
  return end < 0 ? url : url.slice(0, end);
}

/** The path of an absolute URL, normalized as in the URL standard. */
export function pathOfUrl(url: string): string {
  const from = url.indexOf('/', url.indexOf('://') + 3);
  if (from < 0) return '/';
  const query = url.indexOf('?', from);
  const path = query < 0 ? url.slice(from) : url.slice(from, query);
  // Most paths are normalized already. Parsing a URL takes as long as finding its route.
  return /^(?:\/[\w~:@%-][\w~:@%.-]*)+\/?$/.test(path) ? path : new URL(url).pathname;
}
